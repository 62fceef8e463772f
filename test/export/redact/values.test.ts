import { expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { readAs } from '../../../src/export/redact/text/read-as.ts';
import { ALNUM, chars } from './made-up.ts';
import { redactText, VALUES } from './redact-text.ts';

async function find(text: string): Promise<readonly string[]> {
  const found = await detectSecrets(readAs(`see\n${text}\nthere`));
  return found.map(({ value }) => value);
}

it.each(['Strong123!', 'intel4Ever!', 'nonesuch88!', 'trueLove77!', 'Number1Dad!', 'str0ng&Pw'])(
  'finds a password that begins as a word of a program does: %s',
  async (value) => {
    expect(await find(`DB_PASSWORD=${value}`)).toContain(value);
    expect(await find(`{"password": "${value}"}`)).toContain(value);
  },
);

it.each([
  'str0ngpass',
  'New!York77',
  'Config#2024',
  'Str4wberry',
  'Never1975',
  'true1love',
  'number1',
  'Object42',
  'blake1',
  'Blake1985',
])(
  'finds a password that begins as a word of a program or an algorithm does, and goes on with a number: %s',
  async (value) => {
    expect(await find(`DB_PASSWORD=${value}`)).toContain(value);
    expect(await find(`{"password": "${value}"}`)).toContain(value);
    expect(await find(`password: ${value}`)).toContain(value);
  },
);

it.each([
  'password: int32; DB_PASSWORD: int256; password = "bytes32"; pwd: int64_t',
  'password: md5; password: sha1; password: sha-256; DB_PASSWORD=SHA512/256; password: sha3-512',
  'password: blake2b-256; password: blake3; password: ripemd160; password: hmac-sha256; password: md4',
])('takes no type with a size, and no algorithm for a password: %s', async (text) => {
  expect(await find(text)).toEqual([]);
});

it.each(['strawberry', 'internet', 'Trueblood', 'NEVERLAND', 'strong-hold', 'todorova'])(
  'finds a plain word that begins as a word of a program does: %s',
  async (value) => {
    expect(await find(`DB_PASSWORD=${value}`)).toContain(value);
    expect(await find(`{"password": "${value}"}`)).toContain(value);
    expect(await find(`deploy --user app --password ${value}`)).toContain(value);
  },
);

it.each([
  'password: string; token: number; secret: StrictStr; apiKey: NonEmptyString',
  '{"password": "strings", "secret": "boolean", "token": "nullable", "pwd": "integer"}',
  'password: interfaces; DB_PASSWORD: undefined; password = stringValue; password: BOOLEAN',
])('takes no word of a program for a password: %s', async (text) => {
  expect(await find(text)).toEqual([]);
});

it.each(['@20261128', '$123456$', '@1234-5678', '%d&u2W7b0$klbxP'])(
  'finds a password that begins with a sign, and has no letters or begins as a format does: %s',
  async (value) => {
    expect(await find(`DB_PASSWORD=${value}`)).toContain(value);
    expect(await find(`{"password": "${value}"}`)).toContain(value);
  },
);

it.each([
  '@dm1n123!',
  '%Tiger99',
  '!Summer2024',
  '$ecret24!',
  '*Adm1n*2024',
  '{Zk4}tR9wQ',
  '[Zk4]tR9wQ',
])('finds a password in quotes that begins with a sign: %s', async (value) => {
  expect(await find(`{"password": "${value}"}`)).toContain(value);
  expect(await find(`password = '${value}';`)).toContain(value);
  expect(await find(`DB_PASSWORD=${value}`)).toContain(value);
  expect(await find(`sshpass -p '${value}' ssh app@host`)).toContain(value);
});

it.each(['Zk4(tR9)w;Qx', 'Zk4[tR9]w|Qx', 'P@ss,w0rd;9x'])(
  'finds a password with brackets and signs without quotes: %s',
  async (value) => {
    expect(await find(`password: ${value}`)).toContain(value);
    expect(await find(`db.password=${value}`)).toContain(value);
  },
);

it.each(['kX9(v]2mQ', 'Zk4(tR9)w;Qx', 'P@ss,w0rd;9x', 'pä$Swö9rdX'])(
  'finds a password with brackets, commas or letters of Europe where it must look like one: %s',
  async (value) => {
    expect(await find(`Password is ${value}`)).toContain(value);
    expect(await find(`Password → ${value}`)).toContain(value);
    expect(await find(`| user | password |\n|---|---|\n| bob | \`${value}\` |`)).toContain(value);
  },
);

it.each([
  'DB_PASSWORD: Sommer=Herbst!x',
  'public string Password { get; set; } = "Sommer=Herbst!x";',
  '{"ParameterKey": "DBPassword", "ParameterValue": "Sommer=Herbst!x"}',
  '<input type="password" id="x" value="Sommer=Herbst!x">',
  `<input name="password" id='x' class="y" value="Sommer=Herbst!x">`,
])('finds a password behind what stands between it and its name: %s', async (text) => {
  const found = await find(text);
  expect(found.some((value) => value.endsWith('Sommer=Herbst!x'))).toBe(true);
});

it.each([
  ['an escaped quote in JSON', String.raw`{"password": "Zk4\"tR9w!x"}`],
  ['an escaped quote', String.raw`password = 'Zk4\'tR9w!x'`],
  ['a quote of JSON in JSON', String.raw`x {"a": "{\"password\": \"Zk4\\\"tR9w!x\"}"}`],
  ['what no parameter begins with', '"DB_PASSWORD=Zk4,-9=tR9w!x"'],
  ['a doubled quote', `password: 'Zk4''tR9w!x'`],
  ['a doubled quote of CSV', `password = "Zk4""tR9w!x"`],
])('finds a password whole with %s in it', async (_what, text) => {
  const found = await find(text);
  expect(found.some((value) => value.startsWith('Zk4') && value.endsWith('tR9w!x'))).toBe(true);
});

it.each([
  ['an element of a page on its line', 'password: sommerwind<br>next', 'sommerwind'],
  ['a key behind it', 'password: sommerwind<Enter>', 'sommerwind'],
  ['an element', '<password>Zk4(tR9)w;Qx</password>', 'Zk4(tR9)w;Qx'],
  ['a map of PHP or Ruby', `'password' => 'sommerwind',`, 'sommerwind'],
  ['print_r', '    [password] => sommerwind7', 'sommerwind7'],
  ['var_dump', '  ["password"]=>\n  string(11) "sommerwind7"', 'sommerwind7'],
  ['aligned constants', `define('AUTH_KEY',         'a|7;b{q9z3')`, 'a|7;b{q9z3'],
  ['a dump of a short last line', dumpShort(), 'sommerwind77xy'],
])('finds a password in %s', async (_what, text, value) => {
  expect(await find(text)).toContain(value);
});

it.each([
  'password: get(user1, 2), token = parse(header.Name2), secret: keypair[:32]',
  'private_key = ed25519.Ed25519PrivateKey.from_private_bytes(secret)',
  'refreshToken:x,token:Date.now()+expiresIn*1e3}}async function f; secret: (?:cat|bat2|base64[ ]x)',
  'password = a1|b2; token = list[0](x2)<y3>; secret={id:1,name:"b2"}',
  String.raw`my $Token = qr/[\x21\x23-\x27\x2A\x2B\x2D\x2E]/; password = /^[a-z0-9]{8,}$/`,
  'password → @handle1234, token is %Value2024, secret: !ImportValue2',
  'password: string1[]; token: Promise<Token2>; secret: Option<Vec<u8>>; apiKey: Map<string,Key2>',
  `"password": "%s1", "token": "{{ token1 }}", "secret": "<your-secret-1>", "apiKey": "$API_KEY_1"`,
  `sshpass -p '$DB_PASSWORD1' ssh x; mysql -p'{{ pw1 }}'; redis-cli -a '<password1>'; mongo -p '%s1'`,
])('leaves expressions and placeholders alone: %s', async (text) => {
  expect(await find(text)).toEqual([]);
});

/** A variable as `hexdump -C` shows it: its last line has few bytes and many blanks. */
function dumpShort(): string {
  const bytes = Buffer.from('PORT=123\nDB_PASSWORD=sommerwind77xy');
  const lines = [0, 16, 32].map((at) => {
    const line = bytes.subarray(at, at + 16);
    const [left, right] = [line.subarray(0, 8), line.subarray(8)].map((half) =>
      (half.toString('hex').match(/../g) ?? []).join(' '),
    );
    const shown = line.toString('latin1').replace(/[^ -~]/g, '.');
    return `${at.toString(16).padStart(8, '0')}  ${`${left}  ${right}`.padEnd(48)}  |${shown}|`;
  });
  return lines.join('\n');
}

it.each([24, 32, 40, 48, 64])(
  'finds %i characters of base64 that begin with a slash',
  async (length) => {
    const value = `/${chars(`slash${length}`, length - 1, `${ALNUM}+`).replaceAll('+', '/')}`;
    expect(await find(`AES_KEY=${value}`)).toContain(value);
    expect(await find(`{"aesKey": "${value}"}`)).toContain(value);
    expect(await find(`x-functions-key: ${value}`)).toContain(value);
  },
);

it.each([
  '/Users/dev/Keys/aB3dE5fG7hJ9kL1m',
  '/etc/app/keys/K8xTg3b14wZ2qkqzQx',
  '/run/secrets/apiKey',
  '/mnt/Volume/aB3dE5fG7hJ9kL1mN',
])('takes the path of a key for no key: %s', async (path) => {
  expect(await find(`AES_KEY=${path}`)).toEqual([]);
  expect(await find(`{"aesKey": "${path}"}`)).toEqual([]);
});

it.each(['m86m.EtBvT.bQL', 'S.L7_e_qjU._NhsUtr', 'Mw3.n.Fbo.waMrbG2xJjUX'])(
  'finds a token with dots in quotes or after a variable, which no names of a program make: %s',
  async (value) => {
    expect(await find(`API_TOKEN=${value}`)).toContain(value);
    expect(await find(`export API_TOKEN='${value}'`)).toContain(value);
    expect(await find(`{"apiKey": "${value}"}`)).toContain(value);
  },
);

it.each([
  'API_KEY = config.apiKey2',
  '{"token": "response.data.token1"}',
  "apiKey: 'settings.api.key2'",
  'const token = s3.getSecretV2',
])('takes no path of names for a token: %s', async (text) => {
  expect(await find(text)).toEqual([]);
});

it.each([
  String.raw`const TOKEN = /^[a-z]+$/i;`,
  String.raw`const UNEXPECTED_TOKEN = /^Unexpected token '?(.)'?(,)? /i`,
  String.raw`export const PASSWORD = /^(?=.*\d).{8,}$/;`,
  String.raw`PASSWORD: /^.{8,}$/,`,
  String.raw`token: /\w+\d/y,`,
  String.raw`RESET_TOKEN = /\A[a-f0-9]{32}\z/`,
  String.raw`const TOKEN = /(https?:\/\/[^\s]+)/g`,
  String.raw`  TOKEN: /[A-Za-z0-9_-]{20,}/g,`,
])('leaves the regular expression in %j', async (text) => {
  expect(await redactText(text)).toBe(JSON.stringify({ text }));
});

it.each(['/q7Zp0Lk9vX2mT4sR8nJ1wA==', '/Zk3v9Qw8xLm2', '/x9!Kq2#Zt'])(
  'finds the value %s, which begins with a slash',
  async (value) => {
    for (const text of [`DB_PASSWORD=${value}`, `API_TOKEN="${value}"`])
      expect(await redactText(text)).not.toContain(value.slice(1, -2));
  },
);

it.each([
  'TOKEN_TTL=15m\nREFRESH_TTL=30d',
  'COOKIE_MAX_AGE=60s',
  'login --max-age=24h',
  'SECRETS_MAX=64MB',
])('leaves the times and sizes in %j', async (text) => {
  expect(await redactText(text)).toBe(JSON.stringify({ text }));
});

it.each([
  'Ab3&xY9=Qr+7z',
  'gx,K.Q7hP:2x.vsx',
  'w/u&h/1e_#,,_Ok:$%k',
  'm#2Im,Mv:PFAt',
  'Ab3,x=Qr+7z',
])(
  'finds the whole of a password that has what looks like another parameter: %s',
  async (value) => {
    for (const form of [
      'DB_PASSWORD=¤',
      'db:\n  password: ¤\n  host: x',
      '> X-Api-Key: ¤',
      '<password>¤</password>',
      'deploy --password=¤ x',
    ]) {
      const redacted = await redactText(form.replace('¤', () => value));
      expect(redacted).toMatch(/\[REDACTED:[\w-]+\](?:\\n|<| x|"\}$)/);
      for (const half of [value.slice(0, 6), value.slice(-6)]) expect(redacted).not.toContain(half);
    }
  },
);

it.each([
  ['https://h.example/x?TOKEN=¤&page=2', '&page=2'],
  ['user=app&password=¤&remember=me', '&remember=me'],
  ['password=¤&remember=me', '&remember=me'],
  ['user=app,password=¤,uid=1000', ',uid=1000'],
  ['{user:app,password:¤,host:h}', ',host:h}'],
  ['Server=db;Password=¤;User Id=app', ';User Id=app'],
  ['DB_PASSWORD=¤;NODE_ENV=test;run', ';NODE_ENV=test;run'],
])('leaves the other parameters in %s', async (form, others) => {
  for (const value of VALUES) {
    const redacted = await redactText(form.replace('¤', value));
    expect(redacted).not.toContain(value);
    expect(redacted).toContain(others);
  }
});

it.each(['x%P¤DPogg4', 'Ab3¤xY9Qr_7z', 'Lw7R.K]Ku¤(-xa^', 'Som¤mer¤77!'])(
  'finds the whole of a password whose quotes a shell writes: %s',
  async (value) => {
    for (const quote of [String.raw`'\''`, `'"'"'`]) {
      for (const form of [
        'DB_PASSWORD=¤',
        "declare -x DB_PASSWORD=¤\nB='2'",
        'deploy --password=¤ x',
      ]) {
        const written = form.replace('¤', () => `'${value.replaceAll('¤', () => quote)}'`);
        for (const part of value.split('¤')) expect(await redactText(written)).not.toContain(part);
      }
    }
  },
);
