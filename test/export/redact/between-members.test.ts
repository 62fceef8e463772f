import { expect, it } from 'vitest';
import { redactText, VALUES } from './redact-text.ts';

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
    expect(await redactText(text.replaceAll('¤', value))).not.toContain(value);
});

it('finds the key of a remote of rclone above its account, too', async () => {
  const key = 'K004wkBN72raYD19xcPq0bT5mzLdQ8e';
  expect(await redactText(`[b2]\ntype = b2\nkey = ${key}\naccount = 0012abc\n`)).not.toContain(key);
});

it('takes no remark, and nothing of a list, for a value', async () => {
  const text = 'tokens:\n  # see Sommer77 in the plan\n  list: [Winter88, Herbst99]\n';
  expect(await redactText(text)).toBe(JSON.stringify({ text }));
});
