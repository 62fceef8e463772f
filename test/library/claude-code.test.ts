import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  exportSession,
  forkSession,
  readContext,
  readSession,
  summarizeSession,
  validateSession,
} from '../../src/index.ts';
import { makeTempDir } from '../temp-dir.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/claude-code');
const SESSION = join(FIXTURES, 'recorded-tui-rename-rewind.jsonl');

it('reads, checks, forks and exports a session of Claude Code without a word more', async () => {
  const { session } = await readSession(SESSION);
  const { leafUuid } = JSON.parse(
    await readFile(SESSION.replace('.jsonl', '.expected.json'), 'utf8'),
  ) as { readonly leafUuid: string };
  const leaf = session.entries.find(({ line }) => line === session.leaf?.line);
  expect([session.agent, leaf?.id]).toEqual(['claude-code', leafUuid]);

  const { messages, model } = await readContext(SESSION);
  expect(model).toEqual({ provider: undefined, modelId: 'claude-opus-5-5' });
  expect(messages.at(-2)).toMatchObject({ role: 'user' });

  expect(await summarizeSession(SESSION)).toMatchObject({ name: 'My renamed session' });
  const findings = (await validateSession(SESSION))?.findings ?? [];
  expect(findings.filter(({ level }) => level === 'error')).toEqual([]);

  const directory = await makeTempDir();
  const [fork] = await forkSession(SESSION, { directory });
  expect((await readContext(fork?.path ?? '')).messages).toEqual(messages);

  const { documents } = await exportSession(SESSION, { as: 'md' });
  expect(documents[0]?.text).toContain('after rewind prompt');
});
