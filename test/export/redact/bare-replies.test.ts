import { expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';

const say = (role: string, text: string): JsonObject => ({
  message: { role, content: [{ type: 'text', text }] },
});

/** What an export shows of lines that it has learnt from before. */
async function show(...lines: readonly (readonly [role: string, text: string])[]): Promise<string> {
  const redactor = new Redactor(detectSecrets, []);
  const payloads = lines.map(([role, text]) => say(role, text));
  for (const [index, payload] of payloads.entries()) await redactor.learn(payload, index + 1);
  const safe: unknown[] = [];
  for (const [index, payload] of payloads.entries())
    safe.push(await redactor.redact(payload, index + 1));
  return JSON.stringify(safe);
}

it.each([
  ['What is the database password?', 'wkBN72raYD19xc'],
  ['I need access. Could you paste the API token here:', 'wkBN72raYD19xc'],
  ['Done.\n\n**What is the password for the staging server?**', "it's wkBN72raYD19xc."],
  ['Which token should I use?', 'sure, use `wkBN72raYD19xc`'],
  ['Please enter the passphrase of the key.', 'Zk3v9-Qw'],
  ['Wie lautet das Passwort für den Server?', 'wkBN72raYD19xc'],
  ['Quel est le mot de passe ?', 'wkBN72raYD19xc'],
  ['¿Cuál es la contraseña?', 'wkBN72raYD19xc'],
  ['Qual é a senha?', 'wkBN72raYD19xc'],
  ['Какой пароль?', 'wkBN72raYD19xc'],
  ['パスワードは何ですか？', 'wkBN72raYD19xc'],
])('finds the answer to %j, %j', async (question, answer) => {
  const secret = /wkBN72raYD19xc|Zk3v9-Qw/.exec(answer)?.[0] ?? '';
  expect(await show(['assistant', question], ['user', answer])).not.toContain(secret);
  // Nothing asks for it.
  expect(await show(['assistant', 'Done.'], ['user', answer])).toContain(secret);
});

it('finds an answer again where it stands alone later, in whatever order lines are shown', async () => {
  const shown = await show(
    ['user', 'wkBN72raYD19xc did not work'],
    ['assistant', 'What is the password, then?'],
    ['user', 'wkBN72raYD19xc'],
  );
  expect(shown).not.toContain('wkBN72raYD19xc');
});

it.each([
  ['Should I rotate the token?', 'yes'],
  ['Should I rotate the token?', 'no, run npm run build2 first'],
  ['Where is the secret?', 'src/config/secret-store.ts'],
  ['Which version of the token library?', 'v2.14.0-beta.3'],
  ['What is the name of the password field?', 'userPassword'],
])('leaves the answer to %j, %j', async (question, answer) => {
  expect(await show(['assistant', question], ['user', answer])).toContain(answer);
});
