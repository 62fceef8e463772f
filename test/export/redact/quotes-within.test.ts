import { expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { getString } from '../../../src/session/jsonl/edit/json.ts';
import { FAMILIES } from './families/every-family.ts';
import { redact } from './redact-text.ts';

const FORMS = FAMILIES.flatMap(([, forms]) => forms.filter((form) => /(["'])\*\1/.test(form)));

/** A form with a secret that holds the quote that is around it, and its two parts. */
function plant(form: string): readonly [text: string, ...parts: readonly string[]] {
  const [, quote = '"'] = /(["'])\*\1/.exec(form) ?? [];
  return [form.replaceAll('*', `Zk4tR9wQ\\${quote}b7xL2m`), 'Zk4tR9wQ', 'b7xL2m'];
}

it('finds a secret with a quote in it, in every form that has quotes around one', async () => {
  expect(FORMS.length).toBeGreaterThan(150);
  for (const form of FORMS) {
    const [text, ...parts] = plant(form);
    const numbered = text
      .split('\n')
      .map((line, index) => `    ${index + 1}→${line}`)
      .join('\n');
    for (const shown of [text, numbered]) {
      const safe = await redact(`see\n${shown}\nthere`);
      expect(parts.filter((part) => safe.includes(part)).map(() => form)).toEqual([]);
    }
  }
});

it.each(['passwords = {"bob": "*"}', 'Password "*"', 'signIn("bob", "*")'])(
  'remembers the secret of %s with its quote',
  async (form) => {
    const redactor = new Redactor(detectSecrets, []);
    await redactor.learn({ text: plant(form)[0] }, 1);
    for (const written of ['Zk4tR9wQ"b7xL2m', JSON.stringify('Zk4tR9wQ"b7xL2m')]) {
      const safe = await redactor.redact({ text: `see ${written} there` }, 2);
      expect(getString(safe, 'text')).not.toMatch(/Zk4tR9wQ|b7xL2m/);
    }
  },
);

it.each([
  `tokens = ['let\\'s', 'O\\'Brien', 'rock\\'n\\'roll2']`,
  `passwords = {"bob": "{\\"a\\":\\"b\\"}"}`,
  `expect(password).toBe('can\\'t')`,
])('takes no word with an apostrophe and no JSON in a string for one: %s', async (text) => {
  expect(await redact(text)).toBe(text);
});

it.each([
  'PORT=1\nDB_PASSWORD=*\nDEBUG=1',
  'db:\n  user: app\n  password: *\n',
  '[db]\npassword = *\n',
  '@@ -1 +1 @@\n-DB_PASSWORD=old\n+DB_PASSWORD=*',
  "DB_PASSWORD=* # don't share",
])(
  'finds a secret without quotes around it whose first letters a quote follows: %j',
  async (form) => {
    for (const secret of ["it's3184Ok", "O'Reilly77!", `aB"39556Qx`, "Don'tPanic42"]) {
      const safe = await redact(form.replace('*', secret));
      expect(safe).toBe(form.replace('*', '[REDACTED:assigned-secret]'));
    }
  },
);

it.each(["password = b'*'", 'password = r"*"  # "x"', 'var password = @"*";', 'pw = rb"*",'])(
  'keeps the letters before the quotes of a language: %s',
  async (form) => {
    const safe = await redact(form.replace('*', 'wkBN72raYD19xc'));
    expect(safe).toBe(form.replace('*', '[REDACTED:assigned-secret]'));
  },
);
