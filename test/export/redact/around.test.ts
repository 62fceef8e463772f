import { expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';
import { chars, HEX, LOWER } from './made-up.ts';

const KEY = chars('a key in settings', 40, HEX);

async function redact(payload: JsonObject): Promise<string> {
  return JSON.stringify(await new Redactor(detectSecrets, []).redact(payload, 1));
}

const APP_PASSWORD = chars('mail', 16, LOWER).replace(/(?<=.)(?=(?:.{4})+$)/g, ' ');

it.each([
  [
    'the key of settings',
    `{\n  "Jwt": {\n    "Issuer": "api",\n    "Key": "${KEY}",\n    "ExpireMinutes": 60\n  }\n}`,
  ],
  ['the same in YAML', `jwt_settings:\n  issuer: api\n  key: ${KEY}\n`],
  ['tokens by host', `{"bearer": {"example.org": "${KEY}"}}`],
  ['tokens of a forge', `{\n  "gitlab-token": {\n    "gitlab.example.org": "${KEY}"\n  }\n}`],
  ['the password of an app', `EMAIL_HOST_PASSWORD="${APP_PASSWORD}"`],
  ['a first password', `Password for the elastic user (reset with x):\n  gyp=nlee*K9w+D=RXXJb\n`],
])('finds %s', async (_, found) => {
  const safe = await redact({ text: found });
  for (const secret of [KEY, APP_PASSWORD, 'K9w+D=RXXJb']) expect(safe).not.toContain(secret);
});

it('finds the key of settings in an object', async () => {
  expect(await redact({ arguments: { Jwt: { Key: KEY } } })).not.toContain(KEY);
});

it.each([
  '{"Jwt": {"Key": "Authentication", "Issuer": "api"}}',
  '{"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}}',
  `{"Contents": {"Key": "${KEY}"}}`,
  'help = "type each word here once", password = "must have more than eight"',
])('leaves %s', async (found) => {
  expect(await redact({ text: found })).toBe(JSON.stringify({ text: found }));
});
