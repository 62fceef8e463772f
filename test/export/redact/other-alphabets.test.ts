import { expect, it } from 'vitest';
import { redactText } from './redact-text.ts';

it.each(['Москва77!', 'Αθήνα1987!', 'Łódź&1987'])(
  'finds a password of letters of other alphabets: %s',
  async (value) => {
    for (const form of ['Пароль — *', 'пароль от wifi: *', 'the password is *', 'password → *']) {
      expect(await redactText(form.replace('*', value))).not.toContain(value);
    }
  },
);

it('takes all of a value in quotes that ends in a letter of Chinese, Japanese or Korean', async () => {
  for (const value of ['Zk4나무숲', 'tiger77龍', 'neko22ちゃん']) {
    for (const form of ['DB_PASSWORD="*"', "password: '*'"])
      expect(await redactText(form.replace('*', value))).not.toContain(value.slice(-1));
  }
});
