import { describe, expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';

const say = (role: string, text: string): JsonObject => ({
  message: { role, content: [{ type: 'text', text }] },
});

type Said = readonly [role: string, text: string];

const show = (...lines: readonly Said[]): Promise<string> =>
  showLines(...lines.map(([role, text]) => say(role, text)));

/** What an export shows of lines that it has learnt from before. */
async function showLines(...payloads: readonly JsonObject[]): Promise<string> {
  const redactor = new Redactor(detectSecrets, []);
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
  ['What is the **password** for the database?!', 'wkBN72raYD19xc'],
  ['Type in “What is the password?”', 'wkBN72raYD19xc'],
  ['(What is the password\nfor the database?)', 'wkBN72raYD19xc'],
  [
    `What is the password for the database, so that I can ${'look at the tables and '.repeat(12)}go on?`,
    'wkBN72raYD19xc',
  ],
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

describe('an answer that does not come next in the file', () => {
  const QUESTION = say('assistant', 'What is the password?');
  const ANSWER = say('user', 'wkBN72raYD19xc');
  const output = (content: string): JsonObject => ({
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content }] },
  });

  it.each([
    ['<turn_aborted>\nThe user interrupted the turn.\n</turn_aborted>'],
    ['[Request interrupted by user]'],
    ['<environment_context>\n  <cwd>/x</cwd>\n</environment_context>'],
  ])('is found behind %j', async (text) => {
    expect(await showLines(QUESTION, say('user', text), ANSWER)).not.toContain('wkBN72raYD19xc');
  });

  it.each([
    ['id', 'parentId'],
    ['uuid', 'parentUuid'],
  ])('is found on another branch by %s', async (id, parent) => {
    const shown = await showLines(
      { ...QUESTION, [id]: 'a' },
      { ...say('user', 'Zk3v9-Qw'), [id]: 'b', [parent]: 'a' },
      { ...say('assistant', 'It was refused.'), [id]: 'c', [parent]: 'b' },
      { type: 'model_change', [id]: 'd', [parent]: 'a' },
      { ...ANSWER, [id]: 'e', [parent]: 'd' },
    );
    expect(shown).not.toContain('wkBN72raYD19xc');
  });

  it.each(['wkBN72raYD19xc', [{ type: 'text', text: 'wkBN72raYD19xc' }]])(
    'is found in a prompt that was queued: %j',
    async (prompt) => {
      const queued = { type: 'attachment', attachment: { type: 'queued_command', prompt } };
      expect(await showLines(QUESTION, queued)).not.toContain('wkBN72raYD19xc');
      expect(await showLines(say('assistant', 'Done.'), queued)).toContain('wkBN72raYD19xc');
    },
  );

  it('is found once Codex has taken back a turn', async () => {
    const shown = await showLines(
      QUESTION,
      say('user', 'Zk3v9-Qw'),
      say('assistant', 'It was refused.'),
      { type: 'event_msg', payload: { type: 'thread_rolled_back', num_turns: 1 } },
      ANSWER,
    );
    expect(shown).not.toContain('wkBN72raYD19xc');
  });

  it('is none if the assistant has said something else, or a command has printed it', async () => {
    const done = say('assistant', 'Never mind.');
    expect(await showLines(QUESTION, done, ANSWER)).toContain('wkBN72raYD19xc');
    const printed = [output('ok'), output('wkBN72raYD19xc')];
    expect(await showLines(QUESTION, ...printed)).toContain('wkBN72raYD19xc');
  });
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
