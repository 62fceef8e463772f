import { expect, it } from 'vitest';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { makeKey } from './kinds.ts';

const HIDDEN = '[REDACTED:secret-file]';

it('takes values of a file of secrets out of JSON, also where they are numbers', async () => {
  const redactor = new Redactor(detectSecrets, ['8812345678', '73915', '12.5', 'words']);
  const args = { account: 8812345678, list: [-8812345678, 1], nested: { pin: 73915 }, rate: 12.5 };
  const safe = await redactor.redact({ message: { arguments: args } }, 1);
  expect(safe).toEqual({
    message: {
      arguments: { account: HIDDEN, list: [HIDDEN, 1], nested: { pin: HIDDEN }, rate: HIDDEN },
    },
  });
  expect(redactor.redactions.map(({ field }) => field)).toEqual([
    'message.arguments.account',
    'message.arguments.list[0]',
    'message.arguments.nested.pin',
    'message.arguments.rate',
  ]);
});

it('knows numbers with more digits than JavaScript keeps', async () => {
  const redactor = new Redactor(detectSecrets, ['6212345678901234567']);
  const payload: JsonObject = JSON.parse('{"args":{"card":6212345678901234567}}');
  expect(await redactor.redact(payload, 1)).toEqual({ args: { card: HIDDEN } });
});

it.each(['arguments', 'input'])(
  'takes them out of what a tool was given, whatever their name: %s',
  async (name) => {
    const redactor = new Redactor(detectSecrets, ['73915']);
    const given = { version: 73915, inner: { expires_at: [73915], timestamp: 73915 } };
    const content = [{ type: 'toolCall', [name]: given }];
    expect(await redactor.redact({ message: { content } }, 1)).toEqual({
      message: {
        content: [
          {
            type: 'toolCall',
            [name]: { version: HIDDEN, inner: { expires_at: [HIDDEN], timestamp: HIDDEN } },
          },
        ],
      },
    });
  },
);

it('leaves what agents count, and every number that is not in the file', async () => {
  const redactor = new Redactor(detectSecrets, ['73915', '0739', 'words']);
  const usage = { input: 73915, cost: { total: 73915 } };
  const payload = { message: { usage, timestamp: 73915, amount: 739150, exitCode: 739 } };
  expect(await redactor.redact(payload, 1)).toBe(payload);
});

it('removes the signature of what it has changed', async () => {
  const redactor = new Redactor(detectSecrets, ['8812345678']);
  const call = { arguments: { account: 8812345678 }, thoughtSignature: 'c2lnbmF0dXJl' };
  expect(await redactor.redact({ content: [call] }, 1)).toEqual({
    content: [{ arguments: { account: HIDDEN } }],
  });
});

it.each([
  ['a key', makeKey('bytes')],
  ['what another place gives away', 'Sommer77!x'],
])('takes %s out of bytes that are numbers of the session itself', async (_what, secret) => {
  const redactor = new Redactor(detectSecrets, []);
  const data = [...Buffer.from(`see ${secret} there`)];
  const payload = { given: `DB_PASSWORD=${secret}`, details: { type: 'Buffer', data } };
  const { details } = await redactor.redact(payload, 1);
  expect(JSON.stringify(details)).toContain('[REDACTED:');
  expect(JSON.stringify(details)).not.toContain(
    JSON.stringify([...Buffer.from(secret)]).slice(1, -1),
  );
  const counts = { usage: [10, 20, 30, 40, 50, 60, 70, 80, 90] };
  expect(await redactor.redact(counts, 2)).toBe(counts);
});
