import { expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { base64, chars, DIGITS, HEX, LOWER, UPPER, uuid } from './made-up.ts';

/** Texts as WordPress makes them: of letters, digits, signs and blanks, but no quotes. */
const SIGNS = '!@#$%^&*()-_ []{}<>~`+=,.;:/?|';
const ofAll = (seed: string): string => chars(seed, 64, LOWER + UPPER + DIGITS + SIGNS);
const NAMES = ['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'NONCE_SALT'];

async function show(text: string): Promise<string> {
  return JSON.stringify(await new Redactor(detectSecrets, []).redact({ text }, 1));
}

/** The pieces of a secret that a text still shows. */
function listPieces(safe: string, secret: string): readonly string[] {
  const pieces = [secret.slice(0, 20), secret.slice(20, 40), secret.slice(-20)];
  return pieces.filter(
    (piece) => piece !== '' && safe.includes(JSON.stringify(piece).slice(1, -1)),
  );
}

it.each([
  "define( 'N',         '*' );",
  "define('N', '*');",
  "N='*'",
  'N="*"',
  "  'N' => '*',",
  'N=*',
  '| N | * | constant |',
  'N\t*\tconstant',
])('finds whole keys of all signs in %j', async (form) => {
  const shown: string[] = [];
  for (const seed of Array.from({ length: 40 }, (_, index) => `${form}${index}`)) {
    const name = NAMES[seed.length % NAMES.length] ?? '';
    const secret = ofAll(seed);
    const text = `<?php\n${form.replace('N', name).replace('*', () => secret)}\n`;
    if (listPieces(await show(text), secret).length > 0) shown.push(text);
  }
  expect(shown).toEqual([]);
});

it.each([
  ['a salt', "define('NONCE_SALT', '*');", chars('salt', 32, HEX)],
  ['a salt of the environment', 'HASHIDS_SALT=*', chars('hashids', 40, HEX)],
  ['a wallet', 'new ethers.Wallet("0x*")', chars('wallet', 64, HEX)],
  ['an account of a chain', "accounts: ['0x*'],", chars('accounts', 64, HEX)],
  ['the key of Kaggle', '{"username":"bob","key":"*"}', chars('kaggle', 32, HEX)],
  ['a pepper', 'PASSWORD_PEPPER: *', chars('pepper', 64, HEX)],
  ['a first key', `{"key1": "*", "key2": "${chars('k2', 32, HEX)}"}`, chars('k1', 32, HEX)],
  ['a second key', `{"key1": "${chars('k1', 32, HEX)}",\n "key2": "*"}`, chars('k2', 32, HEX)],
  [
    'a primary key',
    `primaryKey: *\nsecondaryKey: ${base64(chars('s', 32))}\n`,
    base64(chars('p', 32)),
  ],
  [
    'a primary key in hexadecimal',
    `{"primaryKey":"*","secondaryKey":"${chars('s', 32, HEX)}"}`,
    chars('p', 32, HEX),
  ],
  ['a client of a service', "algoliasearch('YK7X2LQ9AB', '*')", chars('algolia', 32, HEX)],
  [
    'a client that is made',
    'SearchClient.create(\n  "YK7X2LQ9AB",\n  "*",\n)',
    chars('create', 32, HEX),
  ],
  ['a default of an argument', 'TOKEN="${2:-*}"', 'Kx82Lmq9Tz41'],
  ['a default without quotes', 'pass=${1:-*}', 'K2zR9wQ7mXb2'],
  ['a default of a local variable', 'local password="${1-*}"', 'Sommer77!x'],
  ['a token with a dot in an address', 'GET /v1/x?a=1&access_token=*&page=2', 'xim1.cx21khy3291u'],
  ['a short one', 'https://example.com/x?token=*', 'v5dw.tu3u'],
  ['a program of a client', '"apiKeyHelper": "echo *"', 'Sommer77!'],
  ['a program of mail', 'passwordeval "echo *"', 'Sommer77!'],
  ['a program of a mailbox', 'PassCmd "printf \'*\'"', 'Sommer77!'],
  ['a program that Git asks', 'GIT_ASKPASS="echo *" git push', 'Sommer77!'],
  ['a program that restic asks', "RESTIC_PASSWORD_COMMAND='echo *'", 'Sommer77!'],
  ['a program of a key', 'auth_token_command = echo "*"', 'Zk3v9Qw8-x42ErT7'],
  ['a setting by its path', 'builder.Configuration["Jwt:Key"] = "*";', 'Zk3v9Qw8-x42ErT7'],
  ['a setting in one name', '{"Jwt:Key": "*"}', 'Zk3v9Qw8-x42ErT7'],
  [
    'a setting in a list of them',
    'Jwt:Issuer = x\nJwt:Key = *\nOpenAI:Model = y',
    'Zk3v9Qw8-x42ErT7',
  ],
  ['a setting of the environment', 'Jwt__Key=*', 'Zk3v9Qw8-x42ErT7'],
  ['a setting with a dot', 'jwt.key=*', 'Zk3v9Qw8-x42ErT7'],
  ['a channel of conda', '- https://conda.example.com/t/*/get/main', 'Zk3v9Qw8x42ErT7m'],
  ['a channel of Anaconda', 'https://repo.anaconda.cloud/t/*/main', 'Zk3v9Qw8-x42ErT7m'],
  ['an output of Terraform', '{"x":{"sensitive":true,"type":"string","value":"*"}}', 'Sommer77!'],
  ['its state', '{"value": "*",\n "type": "string",\n "sensitive": true}', 'Sommer77!'],
  [
    'a password of Terraform',
    '"length": 16,\n"override_special": null,\n"result": "*",\n"special": true',
    'Sommer77!',
  ],
  [
    'a key of storage',
    '"keyName": "key1",\n"permissions": "FULL",\n"value": "*"',
    base64(chars('storage', 64)),
  ],
  ['one in a table', '2026-01-01\tkey1\tFULL\t*', base64(chars('table', 64))],
  ['a network of Windows', '<keyMaterial>*</keyMaterial>', 'correct horse 7'],
  ['an old network', 'wep_key0="*"', '1A2B3C4D5E'],
  ['a personal token', 'AZURE_DEVOPS_EXT_PAT=*', chars('pat', 52, LOWER + DIGITS)],
  ['keys of sessions', 'APP_KEYS=*', `${base64(chars('a', 16))},${base64(chars('b', 16))}`],
  ['a wallet by its variable', 'DEPLOYER_PK=0x*', chars('pk', 64, HEX)],
  ['a program of an option', "restic --password-command 'echo *' backup", 'Sommer77!'],
  ['an argument of Pulumi', 'pulumi config set --secret x *', 'Sommer77!'],
  ['what a hash is made of', "print(generate_password_hash('*'))", 'Sommer77!'],
  ['what bcrypt is given', 'await bcrypt.hash("*", 12)', 'Sommer77!'],
  ['a model of Laravel', "Hash::make('*')", 'Sommer77!'],
  ['a network of a device', 'WiFi.begin("home", "*");', 'Sommer77!'],
  ['a token behind an object', 'jwt.encode({"a": 1}, "*", algorithm="HS256")', 'Sommer77!'],
  ['a constant of Rust', `let token: &'static str = "*";`, chars('rust', 32, HEX)],
  ['a field and a key', `cy.get('input[name="password"]').clear().type("*{enter}")`, 'Sommer77!'],
  ['a field of a test', "getByTestId('password-input').pressSequentially('*')", 'Sommer77!'],
  ['an answer', '"Which API key should I use?"="*". You can now continue', 'Sommer77!'],
  ['an answer in JSON', String.raw`\"What password do you want?\"=\"*\". You`, 'Sommer77!'],
  ['a channel elsewhere', 'https://h.example.com/t/*/main', `ab-${uuid('conda')}`],
])('finds %s', async (_, form, secret) => {
  const text = form.replace('*', () => secret);
  expect(listPieces(await show(text), secret)).toEqual([]);
});

it.each([
  'fetch(`/x?token=${user1.token}`); open("/x?token=" + res.v2.token); /x?token=file.tokenName',
  "define('AUTH_KEY', 'put your unique phrase here');",
  "define('CACHE_KEY', 'session:${userId}:Version2:{locale}:{page}');",
  "const SALT = 'change me'; PASSWORD_SALT_ROUNDS=10; salt: 'abc'",
  "QUERY_KEY: 'SELECT name, Count(*) FROM users1 WHERE id = ? AND age > 18',",
  '{"primaryKey": "id", "secondaryKey": "created_at", "key1": "value1", "key2": "value2"}',
  "client('https://example.com/', 'an-ordinary-name-of-a-thing', 'application/json')",
  '"apiKeyHelper": "/usr/local/bin/get-key1.sh"; passwordeval "pass show mail1"; echo key1',
  'the password; echo "done 3"; # token\necho $TOKEN1; secret: printf "%s1" x; no key: echo step2',
  'https://discuss.example.com/t/how-to-log-in-with-2-keys/48213; https://conda.io/t/latest2024',
  '{"Jwt:Key": "Authentication"}; Configuration["Jwt:Key"] = "YOUR_KEY_1"; _["Jwt:Key"] ?? "x"',
  'bcrypt.hash("$2", 10); password_hash($pass1, 1); hashPassword("${p1}"); verifyPassword("correct")',
  'PAT=*.txt; GLOB_PAT="src/**/*.ts"; APP_KEYS="toBeModified1,toBeModified2"; pk=3; PK="id"',
  'WiFi.begin("ssid", "your-password-1"); "sensitive": true, "value": null; wep_key0=$KEY',
  '"Which token format is needed?"="JWT"; "How long is the password?"="12 or more"',
  'TOKEN="${2:-}"; token=${1:-$TOKEN}; password=${1:?a password is needed}; token="${1:-none}"',
])('leaves %j', async (text) => {
  expect(await show(text)).toBe(JSON.stringify({ text }));
});
