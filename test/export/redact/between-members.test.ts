import { expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';

const redact = async (text: string): Promise<string> =>
  JSON.stringify(await new Redactor(detectSecrets, []).redact({ text }, 1));

const VALUES = ['3f786850e387550fdab836ed7e6dc881', 'Sommer77!', 'wkBN72raYD19xc'];

it.each([
  'kind: Secret\nstringData:\n  # each year\n  foo: ¤\n',
  'kind: Secret\nstringData:\n  bar: x\n\n  # each year\n  foo: ¤\n',
  'tokens:\n  # of bob\n  bob: ¤\n',
  'secrets:\n  list: [a, b]\n  bob: ¤\n',
  'passwords:\n  by: { name: bob }\n  bob: ¤\n',
  '||user||password||\n|bob|¤|\n|eve|¤|\n',
  '_password_: ¤',
  '**_Password_**: ¤',
  'password_ = "¤";',
  "requests.get(url, cookies={'sid': '¤'})",
  "EXEC sp_addlogin 'bob', '¤'",
  "exec sp_addlogin @loginame = N'bob', @passwd = N'¤';",
])('finds a value in %j', async (text) => {
  for (const value of VALUES)
    expect(await redact(text.replaceAll('¤', value))).not.toContain(value);
});

it('finds the key of a remote of rclone above its account, too', async () => {
  const key = 'K004wkBN72raYD19xcPq0bT5mzLdQ8e';
  expect(await redact(`[b2]\ntype = b2\nkey = ${key}\naccount = 0012abc\n`)).not.toContain(key);
});

it('takes no remark, and nothing of a list, for a value', async () => {
  const text = 'tokens:\n  # see Sommer77 in the plan\n  list: [Winter88, Herbst99]\n';
  expect(await redact(text)).toBe(JSON.stringify({ text }));
});
