import { expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/session/jsonl/edit/json.ts';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { PROGRAMS } from '../../../src/export/redact/secrets/program-table.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { P } from './made-up.ts';
import { redactText, VALUES } from './redact-text.ts';

async function redact(payload: JsonObject): Promise<string> {
  return JSON.stringify(await new Redactor(detectSecrets, []).redact(payload, 1));
}

/** A value as it may stand in a session: as an object, as JSON in a string, and as text among other text. */
function* listForms(value: JsonValue): Generator<JsonValue> {
  const [json, pretty] = [JSON.stringify(value), JSON.stringify(value, undefined, 2)];
  yield value;
  yield json;
  yield pretty;
  yield JSON.stringify({ input: json });
  yield `see\n\`\`\`json\n${json}\n\`\`\`\nthere`;
  yield `see\n\`\`\`json\n${pretty}\n\`\`\`\nthere`;
}

const SECRETS = ['Sommer77!', P('call')];

it.each([
  (v: string) => ({ command: 'mysql', args: [`-p${v}`] }),
  (v: string) => ({ command: 'mysql', args: ['-u', 'root', `-p${v}`, 'shop'] }),
  (v: string) => ({ command: '/usr/bin/mysql', args: ['-u', 'root', `-p${v}`] }),
  (v: string) => ({ command: 'sshpass', args: ['-p', v, 'ssh', 'h'] }),
  (v: string) => ({ program: 'redis-cli', args: ['-a', v] }),
  (v: string) => ({ cmd: 'curl', argv: ['-u', `bob:${v}`, 'https://example.com/'] }),
  (v: string) => ({ mcpServers: { x: { command: 'sshpass', args: ['-p', v, 'npx', 'y'] } } }),
  (v: string) => ({ runtimeExecutable: 'sshpass', runtimeArgs: ['-p', v, 'ssh'] }),
  (v: string) => ({ command: ['docker', 'login'], args: ['-u', 'bob', '-p', v] }),
])('finds the secret among the arguments of a program beside it: %s', async (make) => {
  for (const secret of SECRETS) {
    for (const form of listForms(make(secret))) {
      expect(await redact({ input: form })).not.toContain(secret);
    }
  }
});

it.each([
  (v: string) => ({ args: ['-u', 'root', `-p${v}`], command: 'mysql' }),
  (v: string) => ({ command: 'mysql', env: { LANG: 'C', TZ: 'UTC' }, args: [`-p${v}`] }),
  (v: string) => ({ command: 'mysql', args: `-u root -p${v} shop` }),
  (v: string) => ({ Path: 'redis-cli', Config: { Tty: false }, Args: ['-a', v] }),
  (v: string) => ({ command: 'sudo -S ls', stdin: `${v}\n` }),
  (v: string) => ({ command: ['docker', 'login', '--password-stdin'], input: v }),
  (v: string) => ({ input: `${v}\n`, command: 'passwd bob' }),
  (v: string) => ({ path: '/srv/app', command: 'mysql', args: ['-u', 'root', `-p${v}`] }),
  (v: string) => ({ file: 'out.txt', command: '/usr/bin/redis-cli', args: `-a ${v} ping` }),
  (v: string) => ({ command: 'redis-cli', params: ['x'], args: ['-a', v, 'ping'] }),
  (v: string) => ({ bin: '/usr/bin/env', command: 'sshpass.exe', args: ['-p', v, 'ssh', 'h'] }),
  (v: string) => ({ file: 'out.txt', command: 'gh secret set KEY', stdin: v }),
  (v: string) => ({ apiKeyHelper: `echo ${v}` }),
  (v: string) => ({ env: { RESTIC_PASSWORD_COMMAND: `printf '%s' '${v}'` } }),
])('finds it in whatever order, and what the program reads: %s', async (make) => {
  for (const secret of SECRETS) {
    const [value] = [make(secret)];
    expect(await redact({ input: value })).not.toContain(secret);
    expect(await redact({ arguments: JSON.stringify(value) })).not.toContain(secret);
  }
});

it('finds it in the settings of a client in TOML', async () => {
  for (const secret of SECRETS) {
    const text = `[mcp_servers.x]\ncommand = "sshpass"\nargs = ["-p", "${secret}", "npx"]\n`;
    expect(await redact({ text })).not.toContain(secret);
  }
});

it.each([
  { command: 'docker', args: ['run', '-p', '8080:80', 'app2'] },
  { command: 'npx', args: ['-y', '@modelcontextprotocol/server-github@2025.4.8'] },
  { command: 'sudo ls', stdin: 'Zk3v9Qw8' },
  { command: 'cat', input: 'Zk3v9Qw8-x42ErT7' },
  { path: 'src/main2.ts', args: ['a1', 'b2'] },
  { path: 'src/main2.ts', command: 'node', args: ['-p', 'Zk3v9Qw8'] },
  { command: 'mysql', args: ['-u', 'root', '-p', 'shop'], name: 'db1' },
])('leaves %j', async (value) => {
  expect(await redact({ input: value })).toBe(JSON.stringify({ input: value }));
  const text = JSON.stringify(value, undefined, 2);
  expect(await redact({ text })).toBe(JSON.stringify({ text }));
});

it('finds a secret behind options that are run together, even if it begins as a version', async () => {
  for (const secret of ['V62r2cFsOC8cJTCi', 'v3iVdWHrTip4ur', 'V50bLyMY7cs8W1iFVhUWoR62NWc=']) {
    expect(await redact({ text: `ldapsearch -xw ${secret} -D cn=x` })).not.toContain(secret);
  }
});

/** A program and its arguments as containers, their settings and programs have them: an item a line. */
const ITEMS: readonly (readonly string[])[] = [
  ['mysqladmin', 'ping', '-uroot', '-p¤'],
  ['redis-cli', '-a', '¤', 'ping'],
  ['sshpass', '-p', '¤', 'ssh', 'bob@h'],
];

it.each([
  (items) => `"Test": [\n  "CMD",\n${items.map((item) => `  "${item}"`).join(',\n')}\n],`,
  (items) => `test:\n  - CMD\n${items.map((item) => `  - ${item}`).join('\n')}\ntimeout: 3`,
  (items) => `test:\n- 'CMD'\n${items.map((item) => `- '${item}'`).join('\n')}`,
  ([program = '', ...args]) =>
    `spawn('${program}', [\n${args.map((item) => `  '${item}',`).join('\n')}\n]);`,
] satisfies readonly ((items: readonly string[]) => string)[])(
  'finds the secret among arguments on lines of their own: %s',
  async (write) => {
    for (const secret of VALUES) {
      for (const items of ITEMS) {
        const text = write(items).replace('¤', secret);
        const added = text.replaceAll(/^/gm, '+');
        const listed = text.replaceAll(/^/gm, '   12\t');
        for (const one of [text, `@@ -0,0 +1 @@\n${added}`, listed, text.replaceAll('\n', '\r\n')])
          expect(await redactText(one)).not.toContain(secret);
      }
    }
  },
);

it.each(['options:\n- -v\n- --token\n- --help 3', '["-p",\n "--url",\n "src/a1.ts"]'])(
  'leaves %j as it is',
  async (text) => {
    expect(await redactText(text)).toBe(JSON.stringify({ text }));
  },
);

/** Arguments behind other words or a long option, as a list in a text that is no JSON. */
const BEHIND_WORDS: readonly (readonly string[])[] = [
  ['rabbitmqctl', 'add_user', 'bob', '¤'],
  ['redis-cli', 'AUTH', '¤'],
  ['net', 'user', 'bob', '¤', '/add'],
  ['samba-tool', 'user', 'create', 'bob', '¤'],
  ['drush', 'upwd', 'bob', '¤'],
  ['wpa_passphrase', 'home', '¤'],
  ['curl', '--user', 'bob:¤', 'https://example.com'],
  ['xh', '--bearer', '¤', 'https://example.com'],
];

it.each([
  (items) => `Command '[${items.map((item) => `'${item}'`).join(', ')}]' returned 1.`,
  (items) => `FAILED! => {"changed": true, "cmd": ${JSON.stringify(items)}, "rc": 1}`,
  (items) => `cmd := exec.Command("${items.join('", "')}")`,
  ([program = '', ...args]) =>
    `spawn('${program}', [${args.map((item) => `'${item}'`).join(', ')}])`,
] satisfies readonly ((items: readonly string[]) => string)[])(
  'finds the secret among arguments in a list: %s',
  async (write) => {
    for (const secret of VALUES) {
      for (const items of BEHIND_WORDS) {
        expect(await redactText(write(items).replace('¤', secret))).not.toContain(secret);
      }
    }
  },
);

it('finds the secret behind words that have a line each', async () => {
  const text = `run([\n  "rabbitmqctl",\n  "add_user",\n  "bob",\n  "Zk3v9-Qw8Er",\n])`;
  expect(await redactText(text)).not.toContain('Zk3v9-Qw8Er');
});

it('finds the secret behind each word of the table of programs, as a list', async () => {
  const shown: string[] = [];
  for (const [program, forms] of PROGRAMS) {
    for (const { before, option, how } of forms) {
      if (option !== undefined || how.has('behind')) continue;
      const words = before.map((word) => word.replace(/^\*/, 'x').replace(/^\.$/, 'y'));
      const text = `run(["${[program, ...words, 'wkBN72raYD19xc'].join('", "')}"])`;
      if ((await redactText(text)).includes('wkBN72raYD19xc')) shown.push(text);
    }
  }
  expect(shown).toEqual([]);
});
