import { expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { VALUES } from './redact-text.ts';

it.each(['PHPSESSID', 'WPA2', 'WPA'])('finds the value of the member %s', async (name) => {
  for (const value of VALUES) {
    const safe = await new Redactor(detectSecrets, []).redact({ input: { [name]: value } }, 1);
    expect(JSON.stringify(safe)).not.toContain(value);
  }
});

it('finds the two keys of Azure as members', async () => {
  const keys = {
    key1: '3f786850e387550fdab836ed7e6dc881',
    key2: 'd03e395271f2e292bc91848bdbb9d9b8',
  };
  const safe = JSON.stringify(await new Redactor(detectSecrets, []).redact({ keys }, 1));
  for (const key of Object.values(keys)) expect(safe).not.toContain(key);
});

it.each([
  ['creds', 'bob:¤'],
  ['credentials', 'bob / ¤'],
  ['admin login', 'bob / ¤'],
  ['username/password', 'bob / ¤'],
  ['u/p', 'bob/¤'],
  ['Zugangsdaten', 'bob / ¤'],
])('finds the password behind a user in the member %s, also in text', async (name, login) => {
  for (const value of VALUES) {
    const input = { [name]: login.replace('¤', value) };
    for (const payload of [{ input }, { text: `see\n${JSON.stringify(input)}\nthere` }]) {
      const safe = await new Redactor(detectSecrets, []).redact(payload, 1);
      expect(JSON.stringify(safe)).not.toContain(value);
    }
  }
});

it('finds a password that Terraform has made by the members beside it', async () => {
  for (const result of VALUES) {
    const details = { bcrypt_hash: '$2a$10$x', keepers: null, length: 16, result, special: true };
    const safe = await new Redactor(detectSecrets, []).redact({ details }, 1);
    expect(JSON.stringify(safe)).not.toContain(result);
  }
});
