import { expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { VALUES } from './redact-text.ts';

const RUN = 'pass show shop/db';

/** A session of Neovate as one of pi, whose results hold the input of their calls. */
const toLines = (value: string): readonly object[] => [
  { role: 'assistant', content: [{ type: 'toolCall', id: 'c1', arguments: { command: RUN } }] },
  {
    role: 'toolResult',
    toolCallId: 'c1',
    content: [
      {
        type: 'text',
        text: `Command: ${RUN}\nDirectory: /w\nStdout: ${value}\n\nStderr: (empty)\nExit Code: 0`,
      },
    ],
    details: { returnDisplay: `${value}\n`, input: { command: RUN } },
  },
];

it.each(VALUES)('finds what a command has printed in a converted session: %s', async (value) => {
  const redactor = new Redactor(detectSecrets, []);
  const safe: object[] = [];
  for (const [at, message] of toLines(value).entries()) {
    const line = { type: 'message', id: `e${at}`, parentId: null, message: { ...message } };
    safe.push(await redactor.redact(JSON.parse(JSON.stringify(line)), at + 1));
  }
  expect(JSON.stringify(safe)).toContain('[REDACTED:printed-secret]');
  expect(JSON.stringify(safe)).not.toContain(value);
});
