import { expect, it } from 'vitest';
import { redactText } from './redact-text.ts';

const TIMES = [
  '2026-05-04T11:12:31Z',
  '2026-05-04T11:12:31.123456Z',
  '2026-05-04T11:12:31+02:00',
  '2026-05-04T11:12',
];

it.each([
  'login,¤,bob,10.0.0.1',
  'GET /token?from=¤&to=¤',
  'token(expires=¤,scope=read)',
  'auth{exp:¤}',
  'password_changed=¤',
  'login@¤',
  'token过期时间：¤',
  'Login: ¤',
  'Account: ¤',
  'login: bob / ¤',
  'backup/vault-¤.tar.gz',
])('takes no time within a word for a secret: %s', async (form) => {
  for (const time of TIMES) {
    const text = form.replaceAll('¤', time);
    expect(await redactText(text)).toBe(JSON.stringify({ text }));
  }
});

it.each([
  'auth-2026-05-04T11-12-31.log',
  'GET /login?since=2026-05-04T11%3A12%3A31Z',
  'account 0x742d35Cc6634C0532925a3b844Bc454e4438f44e has no balance',
  'ERC20 token at 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
])('leaves alone: %s', async (text) => {
  expect(await redactText(text)).toBe(JSON.stringify({ text }));
});

it.each([
  'login,2026-05-04T11:12:31Z,¤',
  'GET /token?from=2026-05-04T11:12:31Z&key=¤',
  'token(expires=2026-05-04T11:12:31Z,value=¤)',
  'login: 2026-05-04T11:12:31Z / ¤',
])('finds a secret beside one: %s', async (form) => {
  for (const value of ['wkBN72raYD19xc', 'Zk3v9Qw8xT2mB7'])
    expect(await redactText(form.replace('¤', value))).not.toContain(value);
});
