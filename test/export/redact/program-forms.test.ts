import { expect, it } from 'vitest';
import { P } from './made-up.ts';
import { redactBetween } from './redact-text.ts';

/** Forms whose value is found whether somebody made it up or a program. */
const PLACED: readonly string[] = [
  'smbclient -L h *',
  'smbclient -L h -U bob *',
  'runas /user:bob *',
  'echo * | runas /user:bob cmd',
  'net use \\\\h\\x /user:bob *',
  'mosquitto_passwd -b f bob *',
  'steamcmd +login bob * +quit',
  'rootpw --plaintext *',
  'doctl auth init -t *',
  '/oper bob *',
  'reg add HKLM\\x /v DefaultPassword /t REG_SZ /d *',
  '    DefaultPassword    REG_SZ    *',
  'username bob password 0 *',
  'snmp-server community * RO',
  '[{"op":"replace","path":"/spec/password","value":"*"}]',
  ' neighbor 10.0.0.1 password 7 *',
  ' ip ospf message-digest-key 1 md5 *',
  'ntp authentication-key 1 md5 *',
  'createUser bob SHA "*" AES',
  'createUser bob SHA-256 "x1y2z3w4" AES "*"',
  'snmp-server user bob group v3 auth sha x1y2z3w4 priv aes 128 *',
  'curl_setopt($ch, CURLOPT_USERPWD, "bob:*");',
  'userPassword: {CLEARTEXT}*',
  'PlainLoginModule required\n  user_admin="x1y2z3w4"\n  user_alice="*";',
  '"crypt" => ["key" => "*"]',
  '    Key Content            : *',
  'ACL SETUSER bob on >* ~x +@all',
  'user default on >* ~x',
  "CREATE USER bob IDENTIFIED BY '*';",
  'ALTER USER bob IDENTIFIED BY *;',
  '{"Type": "SecureString", "Value": "*"}',
  'x\tSecureString\t*\t1',
  '{"type":"CONCEALED","label":"x","value":"*"}',
  '"https://x.vault.azure.net/secrets/db/1", "tags": {}, "value": "*"',
  's:8:"password";s:9:"*";',
  'UID=bob;PWD={*}',
  "SecretStr('*')",
  "cookieParser('*')",
  "read -s PASS <<< '*'",
  "PASS[bob]='*'",
  'Raw result: *',
  '<auth-user-pass>\nbob\n*\n</auth-user-pass>',
  '[smtp.x.org]:587 bob:*',
  'successfully reset.\nNew value: *',
  'K 8\npassword\nV 9\n*\nEND',
];

it.each(PLACED)('finds a secret of people and of programs: %j', async (form) => {
  for (const secret of [P('placed'), 'Sommer77!', 'hunter2!', 'qM7$kd9Zp2Xw']) {
    expect(await redactBetween(form.replace('*', () => secret))).not.toContain(secret);
  }
});

it.each([
  ['routing_key: *', '8e3c25a17d9d5c8efe436b5cfca690ee'],
  ['"passwordHash": "*"', '8e3c25a17d9d5c8efe436b5cfca690ee'],
  ['BRAINTREE_PRIVATE=*', '8e3c25a17d9d5c8efe436b5cfca690ee'],
  ['"unseal_keys_hex": ["x", "*"]', '8e3c25a17d9d5c8efe436b5cfca690ee8e3c25a17d9d5c8e'],
  ['getConnection(URL, USER, "*")', 'uP4lsTq9x2mVz7aB'],
  ['new PDO($dsn, $user, "*")', 'uP4lsTq9x2mVz7aB'],
  ['SUPABASE_SERVICE_ROLE_KEY=*', 'uP4lsTq9x2mVz7aB3dE5fG7h'],
  ['secret_id             *', '7f3e9a1c-42b8-4d7a-9e6c-c4f87f226f48'],
  ['token = "*"', '7f3e9a1c-42b8-4d7a-9e6c-c4f87f226f48'],
  ['Client("AC#", "*")', '8e3c25a17d9d5c8efe436b5cfca690ee'],
  ['device_code: *', 'BryRKsZo7YTV16WbCjISYq1KaRCMoCpY'],
  ['SAMLResponse=*', '9VNw41YE9btFQPwCEo6gInfC2jgawmvh'],
  ['userPassword:: *', 'aHVudGVyMiE='],
  ['the following password to proceed:\n\n*\n', '8e3c25a17d9d5c8efe436b5cfca690ee'],
  ["sed -i 's/DB_PASSWORD/*/' .env", 'uP4lsTq9x2mVz7aB3dE5fG7h'],
  ['-----BEGIN OpenVPN Static key V1-----\n*\n', '8e3c25a17d9d5c8efe436b5cfca690ee'],
])('finds the secret of a program in %j', async (form, secret) => {
  const text = form.replace('#', 'a1b2c3d4'.repeat(4)).replace('*', () => secret);
  expect(await redactBetween(text)).not.toContain(secret);
});
