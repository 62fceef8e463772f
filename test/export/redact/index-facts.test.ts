import { expect, it } from 'vitest';
import { redactSummary } from '../../../src/export/open-document.ts';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { hideIds } from '../../../src/export/redact/secrets/learn-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import type { Session } from '../../../src/session/model/session.ts';
import type { SessionSummary } from '../../../src/session/model/summary.ts';
import { makeKey } from './kinds.ts';

it('hides what an index knows of models, files and other sessions', async () => {
  const key = makeKey('model');
  const redactor = new Redactor(detectSecrets, []);
  await redactor.learn({ payload: { model: `gpt ${key}` } }, 1);
  const entry = { id: 'e1', parentId: null, type: 'turn_context', time: 0, line: 1 };
  const model = { provider: undefined, modelId: `gpt ${key}` };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is asked for
  const session = { entries: [{ ...entry, model }] } as unknown as Session;
  const hidden = [...hideIds(session, redactor).values()];
  expect(hidden).toHaveLength(1);
  expect(JSON.stringify(hidden)).not.toContain(key);
  const facts = { id: 'a', models: [], files: [`/x/${key}`], relations: { base: { id: key } } };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is asked for
  const safe = await redactSummary(facts as unknown as SessionSummary, redactor);
  expect(JSON.stringify(safe)).not.toContain(key);
});
