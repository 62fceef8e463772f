import { expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';

const COMMANDS: readonly string[] = [
  'kubectl get secret db -o jsonpath="{.data.value}" | base64 -d',
  'pass show prod/db',
  'bw get password github',
  'op read "op://Vault/db/password"',
  'security find-generic-password -s x -w',
  'aws secretsmanager get-secret-value --secret-id db --query SecretString --output text',
  'gcloud secrets versions access latest --secret=db',
  'terraform output -raw db_password',
  'vault kv get -field=value secret/db',
  'cat .vault_pass',
  'cat config/master.key',
  'cat certs/passphrase.txt',
  'cat /run/secrets/db',
  'sudo cat /var/lib/jenkins/secrets/initialAdminPassword',
  'echo $DB_PASSWORD',
  'echo %DB_PASSWORD%',
  'keyring get system bob',
  'printenv NPM_TOKEN',
  'fly ssh console -C "printenv SECRET_KEY_BASE"',
  'echo $APP_KEY',
  'jq -r .secretKey x.json',
  "yq '.db.pass' x.yml",
  'argocd admin initial-password -n argocd',
  'wg genkey',
  'pass show github',
  'python3 -c "import secrets; print(secrets.token_urlsafe(32))"',
  `node -p "require('crypto').randomBytes(12).toString('base64')"`,
  'node -e "console.log(crypto.randomBytes(12).toString(\'base64\'))"',
  'ruby -rsecurerandom -e "puts SecureRandom.alphanumeric(16)"',
  'python -c "from cryptography.fernet import Fernet; print(Fernet.generate_key())"',
  'mix phx.gen.secret',
  'php artisan key:generate --show',
  'npx auth secret',
  'head -c 12 /dev/urandom | base64',
  'bin/rails secret',
  'cat /etc/wireguard/privatekey',
  'rbw get github',
  'keepassxc-cli show -s -a Password x.kdbx github',
  'gpg --decrypt ~/.x.gpg',
  'age -d -i key.txt x.age',
  'sops -d --extract \'["db"]["value"]\' x.yaml',
  'oc whoami -t',
  'kubeadm token create',
  'az storage account keys list -n x --query "[0].value" -o tsv',
  'az cosmosdb keys list -n x -g y --query primaryMasterKey -o tsv',
  'az acr credential show -n x --query "passwords[0].value" -o tsv',
  'aws iam create-access-key --user-name x --query AccessKey.SecretAccessKey --output text',
  'aws lambda get-function-configuration --query Environment.Variables.API_KEY --output text',
  'aws configure get aws_secret_access_key',
  'git config --get github.token',
  'wp config get DB_PASSWORD',
  'redis-cli -n 1 GET user:1:token',
  'consul kv get app/db_password',
  'snap get nextcloud token',
  'wg show wg0 private-key',
  "kubectl config view --raw -o jsonpath='{.users[0].user.token}'",
  "mongosh --quiet --eval 'db.users.findOne().apiKey'",
  'node -p process.env.API_SECRET',
  "node -e 'console.log(process.env.API_SECRET)'",
  `python3 -c "import os; print(os.environ['API_TOKEN'])"`,
  `php -r 'echo getenv("API_TOKEN");'`,
  `ruby -e 'puts ENV["API_SECRET"]'`,
  "bin/rails runner 'puts User.first.api_token'",
  'psql -tAc "select api_key from users limit 1"',
  'sqlite3 x.db "select token from sessions limit 1"',
  'grep DB_PASSWORD .env | cut -d= -f2',
  "grep -oP '(?<=DB_PASSWORD=).*' .env",
  "sed -n 's/^DB_PASSWORD=//p' .env",
  "awk -F= '/DB_PASSWORD/{print $2}' .env",
  '$env:API_KEY',
  '[Environment]::GetEnvironmentVariable("API_TOKEN")',
  'Get-Secret -Name x -AsPlainText',
  'echo "$DB_PASSWORD"',
  'printenv "NPM_TOKEN"',
  'jq -r ".db.password" config.json',
  'helm get values x -o json | jq -r .auth.password',
  'pass show "prod/db"',
  'git config --get sendemail.smtppass',
];
const VALUES = ['hunter2!', 'Sommer77!', '4f2a9c1b7d3e8a605c4b1f9e2d7a8c3b'];
const createRedactor = (): Redactor => new Redactor(detectSecrets, []);

it.each(COMMANDS)('finds what a command prints below its prompt: %s', async (command) => {
  for (const value of VALUES) {
    for (const prompt of [
      '$ ',
      'bob@host:~/x$ ',
      '# ',
      'PS C:\\x> ',
      'C:\\Users\\bob>',
      'D:\\> ',
    ]) {
      const text = `See:\n${prompt}${command}\n${value}\n$ ls\n`;
      const safe = JSON.stringify(await createRedactor().redact({ text }, 1));
      expect(safe).not.toContain(value);
      expect(safe).toContain('$ ls');
    }
  }
});

/** The result of a command, as Neovate gives it to the model. */
const toNeovate = (command: string, output: string): string =>
  `Command: ${command}\nDirectory: /x\nStdout: ${output}\nStderr: (empty)\nError: (none)\nExit Code: 0`;

/** The lines of a call and of its result, as agents write them. */
const CALLS: Readonly<Record<string, (command: string, output: string) => readonly JsonObject[]>> =
  {
    pi: (command, text) => [
      {
        id: 'e1',
        message: {
          content: [{ type: 'toolCall', id: 'c1', name: 'bash', arguments: { command } }],
        },
      },
      { id: 'e2', message: { role: 'toolResult', toolCallId: 'c1', content: [{ text }] } },
    ],
    'a command of the user of pi': (command, output) => [
      { id: 'e1', message: { role: 'bashExecution', command, output } },
    ],
    'Claude Code': (command, content) => [
      { uuid: 'e1', message: { content: [{ type: 'tool_use', id: 't1', input: { command } }] } },
      {
        uuid: 'e2',
        message: { content: [{ type: 'tool_result', tool_use_id: 't1', content }] },
        toolUseResult: { stdout: content, stderr: '' },
      },
    ],
    Neovate: (command, output) => [
      { uuid: 'e1', content: [{ type: 'tool_use', id: 't1', input: { command } }] },
      {
        uuid: 'e2',
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 't1',
            input: { command },
            result: { llmContent: toNeovate(command, output), returnDisplay: output },
          },
        ],
      },
    ],
    'Neovate before 0.15': (command, output) => [
      { uuid: 'e1', content: [{ type: 'tool_use', id: 't1', input: { command } }] },
      {
        uuid: 'e2',
        role: 'user',
        content: [
          {
            type: 'tool_result',
            id: 't1',
            input: { command },
            result: { llmContent: toNeovate(command, output), returnDisplay: output },
          },
        ],
      },
    ],
    'Neovate, with its output alone': (command, llmContent) => [
      { uuid: 'e1', content: [{ type: 'tool_use', id: 't1', input: { command } }] },
      { uuid: 'e2', content: [{ type: 'tool-result', toolCallId: 't1', result: { llmContent } }] },
    ],
    'a command of the user of Neovate': (command, output) => [
      { uuid: 'e1', role: 'user', content: `<bash-input>${command}</bash-input>` },
      {
        uuid: 'e2',
        parentUuid: 'e1',
        role: 'user',
        uiContent: output,
        content: `<bash-stdout>${toNeovate(command, output)}</bash-stdout>`,
      },
    ],
    Codex: (command, output) => [
      {
        payload: {
          type: 'function_call',
          arguments: JSON.stringify({ cmd: command }),
          call_id: 'c',
        },
      },
      {
        payload: {
          type: 'function_call_output',
          call_id: 'c',
          output: `Exit code: 0\nWall time: 0 seconds\nOutput:\n${output}`,
        },
      },
      {
        payload: {
          item: { id: 'c', command: ['bash', '-lc', command], aggregated_output: output },
        },
      },
    ],
    'Codex with JSON in a string': (command, output) => [
      {
        payload: {
          type: 'function_call',
          arguments: JSON.stringify({ command: ['bash', '-lc', command] }),
          call_id: 'c',
        },
      },
      {
        payload: {
          type: 'function_call_output',
          call_id: 'c',
          output: JSON.stringify({ output, metadata: { exit_code: 0 } }),
        },
      },
    ],
    'a shell of Codex': (command, output) => [
      { payload: { call_id: 'c', action: { type: 'exec', command: ['bash', '-lc', command] } } },
      { payload: { type: 'function_call_output', call_id: 'c', output } },
    ],
    'a command of the user of Claude Code': (command, output) => [
      { uuid: 'e1', message: { content: `<bash-input>${command}</bash-input>` } },
      {
        uuid: 'e2',
        parentUuid: 'e1',
        message: { content: `<bash-stdout>${output}</bash-stdout>` },
      },
    ],
    'a command of the user of Codex': (command, output) => [
      {
        payload: {
          role: 'user',
          content: [
            {
              text: `<user_shell_command>\n<command>\n${command}\n</command>\n<result>\nExit code: 0\nDuration: 0.01 seconds\nOutput:\n${output}\n</result>\n</user_shell_command>`,
            },
          ],
        },
      },
    ],
    'Codex before envelopes': (command, output) => [
      { type: 'function_call', arguments: JSON.stringify({ cmd: command }), call_id: 'c' },
      { type: 'function_call_output', call_id: 'c', output },
    ],
  };

/** The lines as an export has them. */
async function redactAll(lines: readonly JsonObject[]): Promise<string> {
  const redactor = createRedactor();
  for (const [index, line] of lines.entries()) await redactor.learn(line, index + 1);
  const safe: JsonObject[] = [];
  for (const [index, line] of lines.entries()) safe.push(await redactor.redact(line, index + 1));
  return JSON.stringify(safe);
}

it.each([
  { payload: { call_id: 'c', action: { type: 'exec', command: ['pass', 'show', 'prod/db'] } } },
  {
    payload: {
      type: 'function_call',
      arguments: '{"command":["pass","show","prod/db"],"workdir":"/w"}',
      call_id: 'c',
    },
  },
  {
    payload: {
      type: 'function_call',
      arguments: '{"workdir": "/w", "command": "pass", "args": ["show", "prod/db"]}',
      call_id: 'c',
    },
  },
  { content: [{ id: 'c', input: { args: ['show', 'prod/db'], command: 'pass' } }] },
  { content: [{ id: 'c', arguments: { argv: ['cat', '.vault_pass'] } }] },
])('finds what a command prints that a call gives as words: %j', async (call) => {
  const value = 'yMQz4YNv8SiTCSU2';
  for (const result of [
    { payload: { type: 'function_call_output', call_id: 'c', output: value } },
    { content: [{ tool_use_id: 'c', content: `${value}\n` }] },
  ]) {
    expect(await redactAll([call, result])).not.toContain(value);
  }
});

it('finds what a command prints that is beside it as words', async () => {
  const value = 'yMQz4YNv8SiTCSU2';
  const item = { id: 'e', command: ['pass', 'show', 'prod/db'], aggregated_output: `${value}\n` };
  expect(await redactAll([{ payload: { item } }])).not.toContain(value);
});

it('leaves alone what commands of other words print', async () => {
  const value = 'yMQz4YNv8SiTCSU2';
  const input = { command: 'ls', args: ['-l', 'show'], argv: ['grep', 'password'] };
  const lines = [{ content: [{ id: 'c', input }] }, { content: [{ id: 'c', content: value }] }];
  expect(await redactAll(lines)).toContain(value);
});

it.each(Object.entries(CALLS))('finds what a call prints in its result: %s', async (_, toLines) => {
  for (const command of COMMANDS) {
    for (const value of VALUES) {
      expect(await redactAll(toLines(command, `${value}\n`))).not.toContain(value);
    }
  }
});

it.each(Object.entries(CALLS))(
  'finds it before what a program says of it: %s',
  async (_, toLines) => {
    for (const value of ['yMQz4YNv8SiTCSU2', ...VALUES]) {
      for (const more of [
        'login: bob\nurl: https://example.org\n',
        '\n Change it at once.',
        '\n',
      ]) {
        const safe = await redactAll(toLines('pass show web/example', `${value}\n${more}`));
        expect(safe).not.toContain(value);
        expect(safe.includes('bob')).toBe(more.includes('bob'));
      }
    }
  },
);

it('finds what is read of a file of a secret, also where its line has a number', async () => {
  const input = { file_path: '/work/.vault_pass' };
  const redactor = createRedactor();
  await redactor.redact({ content: [{ type: 'tool_use', id: 't1', input }] }, 1);
  const content = '     1→hunter2!\n     2→\n\n<system-reminder>\nNothing.\n</system-reminder>\n';
  const result = { content: [{ type: 'tool_result', tool_use_id: 't1', content }] };
  expect(JSON.stringify(await redactor.redact(result, 2))).not.toContain('hunter2!');
});

it('finds it in the JSON that Neovate makes of a file', async () => {
  const input = { file_path: '/work/.vault_pass' };
  const redactor = createRedactor();
  await redactor.redact({ content: [{ type: 'tool_use', id: 't1', input }] }, 1);
  const file = {
    type: 'text',
    filePath: '/work/.vault_pass',
    content: 'hunter2!\n',
    totalLines: 2,
  };
  const result = { returnDisplay: 'Read 2 lines.', llmContent: JSON.stringify(file, null, 2) };
  const line = { content: [{ type: 'tool-result', toolCallId: 't1', input, result }] };
  expect(JSON.stringify(await redactor.redact(line, 2))).not.toContain('hunter2!');
});

it.each([
  '*** Begin Patch\n*** Update File: config/master.key\n@@\n-old1!word\n+hunter2!\n*** End Patch',
  'diff --git a/x b/x\n--- /dev/null\n+++ b/secrets/db_password.txt\n@@ -0,0 +1 @@\n+hunter2!\n',
  '==> secrets/db_password.txt <==\nhunter2!\n\n==> .env <==\nA=1\n',
])('finds what is shown of a file of a secret: %j', async (text) => {
  const safe = JSON.stringify(await createRedactor().redact({ text }, 1));
  for (const value of ['hunter2!', 'old1!word']) expect(safe).not.toContain(value);
});

it('finds what a patch of Codex puts into a file of a secret', async () => {
  const changes = { '/work/.vault_pass': { type: 'add', content: 'hunter2!\n' } };
  const safe = await createRedactor().redact({ payload: { changes } }, 1);
  expect(JSON.stringify(safe)).not.toContain('hunter2!');
  const others = {
    payload: { changes: { '/work/a.txt': { type: 'add', content: 'hunter2!\n' } } },
  };
  expect(await createRedactor().redact(others, 1)).toBe(others);
});

it.each([
  ['ls', 'hunter2!'],
  ['cat src/secrets/tokens.ts', 'import2!'],
  ['cat token.txt', 'No such file 2!'],
  ['echo $DB_PASSWORD', 'undefined'],
  ['pass show prod/db', 'v1.2.3'],
  ['pass show prod/db', './out/file1'],
  ['bypass show2', 'hunter2!'],
  ['pass show web/example', 'Error2: it is not there.\nlogin: bob\n'],
  ['pass show web/example', 'total4 items\nlogin: bob\n'],
  ['pass show web/example', 'first1\nsecond2\nthird3\n'],
  ['cat /dev/urandom | head -c 10 > x1', 'done'],
  ['docker run -d -e DB_PASSWORD=$PW postgres', '9f2c4a1b7d3e8a605c4b1f9e2d7a8c3b'],
  ['git config --get credential.helper', 'osxkeychain2!'],
  ['git rev-parse add-token', '3f786850e387550fdab836ed7e6dc881de23001b'],
  ['kubectl get pods | grep token | cut -c1-40', 'token-svc-7d9f8b6c5d-x2k4p'],
  ['grep -rl TOKEN src | sed s/a/b/', 'src/auth/token2.ts'],
  ['sha256sum token.txt | cut -c1-40', '3f786850e387550fdab836ed7e6dc881de23001b'],
  ['node -e "console.log(tokens.length)"', 'n2!x9Qw'],
  ['psql -c "select id from tokens"', 'a1b2c3d4e5f6a7b8c9d0e1f2'],
  ['aws kms create-key --query KeyMetadata.KeyId', '5bbd7d5b-3f2b-4a1c-9d6b-2b1c7f9f0a11'],
])('leaves alone what %j prints: %j', async (command, text) => {
  const redactor = createRedactor();
  const call = { message: { content: [{ type: 'toolCall', id: 'c1', arguments: { command } }] } };
  await redactor.redact(call, 1);
  const result = { message: { toolCallId: 'c1', content: [{ text }] } };
  expect(await redactor.redact(result, 2)).toBe(result);
});

it('leaves alone what another call prints, and what a script stores', async () => {
  const redactor = createRedactor();
  await redactor.redact({ content: [{ id: 't1', input: { command: 'pass show prod/db' } }] }, 1);
  const result = { content: [{ tool_use_id: 't2', content: 'hunter2!' }] };
  expect(await redactor.redact(result, 2)).toBe(result);
  const script = { text: 'P=$(cat /run/secrets/db)\nfoo2!bar\n' };
  expect(await redactor.redact(script, 3)).toBe(script);
});
