import { expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { redactText, VALUES } from './redact-text.ts';

const HEADERS: readonly (readonly string[])[] = [
  ['Authorization', 'Content-Type'],
  ['Content-Type', 'Authorization', 'X-Requested-With', 'ETag'],
  ['authorization', 'x-client-info', 'apikey', 'content-type'],
  ['Cookie', 'Accept-Language', 'X-Forwarded-For'],
  ['X-Api-Key', 'Content-MD5', 'CloudFront-Is-SmartTV-Viewer'],
];

it.each(HEADERS)(
  'takes no header in a list of them for the value of another: %s',
  async (...names) => {
    const allowedHeaders = [...names];
    const payload = { allowedHeaders };
    expect(await new Redactor(detectSecrets, []).redact(payload, 1)).toBe(payload);
    const text = JSON.stringify(payload);
    expect(await redactText(text)).toBe(JSON.stringify({ text }));
  },
);

it('finds the value of a header in a list', async () => {
  for (const value of [...VALUES, 'Sommer77', '3f786850-e387-550f-dab8-36ed7e6dc881']) {
    const rawHeaders = ['Host', 'h', 'X-Api-Key', value, 'Accept', '*/*'];
    const safe = await new Redactor(detectSecrets, []).redact({ rawHeaders }, 1);
    expect(JSON.stringify(safe)).not.toContain(value);
  }
});

it.each([
  "fetch('/api', { credentials: 'same-origin' })",
  'xhr.credentials = "cross-origin";',
  "auth: 'service-account'",
  'authorization: role-based',
  'credential: azure-cli',
  'docker build --secret id=npmrc,src=/root/.npmrc .',
  'docker buildx build --secret "id=aws,src=$HOME/.aws/credentials" .',
  'docker build --secret type=env,id=GIT_AUTH_TOKEN .',
])('takes no kind, and no name of a secret, for one: %s', async (text) => {
  expect(await redactText(text)).toBe(JSON.stringify({ text }));
});

it.each(['auth: ¤', "credentials: '¤'", 'x --secret ¤', 'cookie: id=¤'])(
  'finds a secret in place of such a kind: %s',
  async (form) => {
    for (const value of VALUES)
      expect(await redactText(form.replace('¤', value))).not.toContain(value);
  },
);

it('finds a UUID that is the value of a cookie', async () => {
  const value = '8c1f5e0a-3b7d-4e62-9a48-1d2f6b7c8e90';
  const cookies = [
    { cookies: { sid: value } },
    { cookies: [{ name: 'sid', value, domain: 'x', httpOnly: true, sameSite: 'Lax' }] },
  ];
  for (const made of cookies) {
    const safe = await new Redactor(detectSecrets, []).redact({ input: made }, 1);
    expect(JSON.stringify(safe)).not.toContain(value);
    expect(await redactText(JSON.stringify(made))).not.toContain(value);
  }
});
