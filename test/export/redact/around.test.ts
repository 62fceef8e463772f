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

/** Passwords with blanks, which Google and WordPress put there, or somebody chose. */
const IN_PARTS = ['qwhz kbxv mfyp rjtd', 'xY4k 9Qm2 Lp7R bT3w Zn8v Hc5J', 'Xk4!tR 9wQ7mB2'];

/** Places in which each of them is found, and those in which a password of an app is. */
const QUOTED = [
  'SMTP_PASS="*"',
  "EMAIL_HOST_USER = 'bob'\nEMAIL_HOST_PASSWORD = '*'\n",
  'smtp:\n  user: bob\n  password: "*"\n',
  "auth: { user: 'bob@example.com', pass: '*' }",
  'connect(user="bob", password="*")',
  "deploy --password '*'",
  '{"password": "*"}',
];
const UNQUOTED = [
  'PORT=1\nSMTP_PASS=*\nDEBUG=1',
  'smtp:\n  password: *\n  port: 25',
  'App password: *',
  'the app password is *.',
  "server.login('bob@example.com', '*')",
  "yagmail.SMTP('bob@example.com', '*')",
  "const auth = Buffer.from('bob:*').toString('base64')",
];

it.each([
  ...QUOTED.map((form) => ({ form, secrets: IN_PARTS })),
  ...UNQUOTED.map((form) => ({ form, secrets: IN_PARTS.slice(0, 2) })),
])('finds a password with blanks in $form', async ({ form, secrets }) => {
  for (const secret of secrets) {
    const safe = await redact({ text: form.replace('*', secret) });
    for (const part of secret.split(' ')) expect(safe).not.toContain(part);
  }
});

/** Names of passphrases, which may be words alone. */
it.each(['psk="*"', 'gpg --passphrase "*"', "vault:\n  passphrase: '*'\n", "PASSPHRASE='*'"])(
  'finds a passphrase of words in %s',
  async (form) => {
    for (const secret of ['orchard velvet tundra', 'mein wlan 77 geheim']) {
      const safe = await redact({ text: form.replace('*', secret) });
      for (const part of secret.split(' ')) expect(safe).not.toContain(part);
    }
  },
);

it.each(['enter the passphrase for key', 'Passphrase too short', 'wrong key or passphrase'])(
  'shows what is said of a passphrase: %s',
  async (said) => {
    expect(await redact({ text: `passphrase="${said}"` })).toContain(said);
  },
);

it.each(['DB_PASSWORD=*', 'mysql -p* db', 'curl -u bob:* https://x.example', 'sshpass -p * ssh h'])(
  'finds a password with blanks that a shell takes into a word in %s',
  async (form) => {
    const safe = await redact({ text: form.replace('*', String.raw`Summer\ 2024!\ zweiX7`) });
    for (const part of ['Summer', '2024', 'zweiX7']) expect(safe).not.toContain(part);
  },
);

it('finds a password with blanks in a member, and without blanks elsewhere', async () => {
  for (const secret of IN_PARTS) {
    const closed = secret.replaceAll(' ', '');
    const safe = await redact({ arguments: { password: secret }, text: `it is ${closed} then` });
    expect(safe).not.toContain(secret);
    expect(safe).not.toContain(closed);
  }
});

it.each([
  ['Zk4$tR9wQ7m', 'Zk4$$tR9wQ7m'],
  ['Zk4$$tR9wQ7m', 'Zk4$tR9wQ7m'],
  ['T7%mQ2x%Lp5', 'T7%%mQ2x%%Lp5'],
  [String.raw`a"B7\cD/9eF2`, String.raw`a\"B7\\cD\/9eF2`],
])('knows the secret %s again where it is written %s', async (secret, written) => {
  const safe = await redact({ arguments: { password: secret }, text: `see "${written}" there` });
  expect(safe).not.toContain(written.slice(2, 4));
  expect(safe).not.toContain(written.slice(-4));
});

it('finds the key of settings in an object', async () => {
  expect(await redact({ arguments: { Jwt: { Key: KEY } } })).not.toContain(KEY);
});

it.each([
  '{"Jwt": {"Key": "Authentication", "Issuer": "api"}}',
  '{"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}}',
  `{"Contents": {"Key": "${KEY}"}}`,
  'help = "type each word here once", password = "must have more than eight"',
  'the password is only used once here, and the password: must have some more',
  '{"password": "must be at least 8 characters!", "passwordHint": "8+ Letters, 2 Digits"}',
])('leaves %s', async (found) => {
  expect(await redact({ text: found })).toBe(JSON.stringify({ text: found }));
});
