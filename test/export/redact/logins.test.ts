import { expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';

const redactAll = async (...values: readonly JsonObject[]): Promise<string> => {
  const redactor = new Redactor(detectSecrets, []);
  const safe: JsonObject[] = [];
  for (const [index, value] of values.entries()) safe.push(await redactor.redact(value, index + 1));
  return JSON.stringify(safe);
};

const VALUES = ['3f786850e387550fdab836ed7e6dc881', 'Sommer77!', 'wkBN72raYD19xc'];

/** A user before a password, as a shell has it. */
const USERS: readonly string[] = [
  'bob',
  '$USER',
  '${USER}',
  '${CI_USER:-bob}',
  '"bob"',
  "'bob'",
  '<user>',
  'ünal',
  'анна',
  'DOM\\bob',
];

it.each(USERS)('finds the password of %j as an argument of a program', async (user) => {
  for (const value of VALUES) {
    for (const command of [
      `curl -u ${user}:${value} https://example.com`,
      `smbclient //h/s -U ${user}%${value}`,
      `lftp -u ${user},${value} ftp://h`,
    ]) {
      expect(await redactAll({ text: command })).not.toContain(value);
    }
  }
});

it.each(['curl -u "$USER:$PASSWORD_1" x', 'curl -u ${A}:${B2} x', 'docker run -u $UID:$GID2 x'])(
  'leaves %j as it is',
  async (text) => {
    expect(await redactAll({ text })).toBe(JSON.stringify([{ text }]));
  },
);

it.each(['auth.txt', '/etc/openvpn/auth.conf', 'vpn/login.conf', 'my-creds.txt'])(
  'finds the password in %s, below its user',
  async (file) => {
    const command = `cat ${file}`;
    for (const value of VALUES) {
      for (const user of ['bob', 'ann.smith@example.com']) {
        const lines = `${user}\n${value}\n`;
        const numbered = `     1→${user}\n     2→${value}\n     3→\n`;
        const old = JSON.stringify({ output: lines, metadata: { exit_code: 0 } });
        for (const text of [lines, numbered, old]) {
          const call = { content: [{ type: 'tool_use', id: 'c1', input: { command } }] };
          const result = { content: [{ type: 'tool_result', tool_use_id: 'c1', content: text }] };
          expect(await redactAll(call, result)).not.toContain(value);
        }
        expect(await redactAll({ text: `$ ${command}\n${lines}$ ls\n` })).not.toContain(value);
      }
    }
  },
);
