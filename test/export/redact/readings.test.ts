import { expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { KEYS, makeKey } from './kinds.ts';
import { redact } from './redact-text.ts';

/** What may stand between two parts of a key for a reader who puts them together. */
const JOINTS: Readonly<Record<string, string>> = {
  ellipsis: '…',
  'stream of OpenAI':
    '"},"finish_reason":null}]}\n\ndata: {"choices":[{"index":0,"delta":{"content":"',
  'stream of responses':
    '","logprobs":[],"obfuscation":"x1Y"}\n\nevent: response.output_text.delta\ndata: {"delta":"',
  'stream of Ollama': '","done":false}\n{"model":"m","response":"',
  'stream of a chat with Ollama': '"},"done":false}\n{"message":{"role":"assistant","content":"',
  'blocks in JSON': '"},{"type":"input_text","text":"',
  dots: '...',
  'wrap mark': '↵\n',
  'soft line break of mail': '=\n',
  'backslash and indent': '\\\n    ',
  'caret of Windows': '^\n',
  'ellipses at an end': '…\n…',
  'blank line': '\n\n',
  'added line': '\n+',
  'removed line': '\n-',
  quote: '\n> ',
  comment: '\n// ',
  'comment of a block': '\n * ',
  'side of a box': ' │\n│ ',
  'line number': '\n    13\t',
  'line number with a bar': '\n13 | ',
  'line number with an arrow': '\n   13→',
  'place in a file': '\nsrc/a.ts:13:',
  'time of a log': '\n2026-03-01T10:00:00Z ',
  container: '\nweb_1  | ',
  plus: '" + "',
  'plus on a new line': "'\n    + '",
  'dots of Lua': "'..'",
  'adjacent strings': '" "',
  'strings on two lines': '"\n   "',
  'strings of a shell': '""',
  'formatted string': "' f'",
  bold: '**',
  code: '`',
  element: '</span><span class="x">',
  'optional break': '<wbr>',
  'comment of HTML': '<!-- x -->',
  'colour without its escape': '[0m[31m',
  'colour as cat shows it': '^[[31m',
  'colour in a program': '\\033[31m',
  'colour in JSON': '\\u001b[31m',
  'line feed in JSON': '\\n',
  'line feed in a URL': '%0A',
  'empty pattern of braille': '\u2800',
  blank: ' ',
  blanks: '   ',
  tab: '\t',
  'blank of typography': '\u00a0',
  'quote of a quote': '\n>> ',
  'time and program of a log': '\nJan  1 00:00:00 host app[12]: ',
  'items of a list': '", "',
  'strings of C#': '" + @"',
  'strings of Basic': '" & _\n    "',
  'events of a stream':
    '"}}\n\nevent: delta\ndata: {"index":0,"delta":{"type":"text_delta","text":"',
};

it('finds keys that are put together by whoever reads them', async () => {
  const rows = await Promise.all(
    Object.entries(JOINTS).map(async ([joint, by]) => {
      const key = makeKey(joint);
      const safe = await redact(`see ${key.slice(0, 18)}${by}${key.slice(18)} there`);
      return [joint, safe.includes(key.slice(0, 18)) || safe.includes(key.slice(18))] as const;
    }),
  );
  expect(rows.filter(([, isLeft]) => isLeft)).toEqual([]);
});

const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');
const toHex = (text: string): string => Buffer.from(text).toString('hex');
const each = (text: string, toText: (code: number) => string): string =>
  Array.from(text, (char) => toText(char.charCodeAt(0))).join('');

/** Other ways to write a key. */
const WRITTEN: Readonly<Record<string, (key: string) => string>> = {
  'base64 three times': (key) => base64(base64(base64(`token ${key}`))),
  'base64 of UTF-16': (key) => base64(Buffer.from(`$a="${key}"`, 'utf16le')),
  'base64 of bytes': (key) => base64(Buffer.from(`00ff01${toHex(` ${key}`)}00fe02`, 'hex')),
  'base64 of an escaped text': (key) => base64(`?a=${key.replace('_', '%5F')}`),
  'base64 of 20 kB': (key) => base64(`${'lorem '.repeat(3500)}${key}`),
  'base64 in a path': (key) => `https://example.com/verify/${base64(`see ${key} there`)}`,
  'bytes of PostgreSQL': (key) => `\\x${toHex(`see ${key} there`)}`,
  'base64 in a URL': (key) => encodeURIComponent(base64(`>>>???${key}`)),
  'quoted lines of base64': (key) =>
    base64(`${'lorem '.repeat(40)}${key} x`).replace(/.{76}/g, '$&\n> '),
  'hexadecimal in a name': (key) => `file-${toHex(` ${key}`)}_x`,
  'hexadecimal above a path': (key) => `${toHex(` ${key}`)}/a`,
  'added line of base64': (key) => `\n+${base64(`a ${key}`)}`,
  'added lines of base64': (key) =>
    `\n+${base64(`${'lorem '.repeat(40)}${key} x`).replace(/.{76}/g, '$&\n+')}`,
  'bytes with colons': (key) => toHex(key).replace(/..(?=.)/g, '$&:'),
  'bytes of a program': (key) => toHex(key).replace(/../g, '0x$&, '),
  octal: (key) => each(key, (code) => `\\${code.toString(8).padStart(3, '0')}`),
  'escapes with braces': (key) => each(key, (code) => `\\u{${code.toString(16)}}`),
  'entities with zeros': (key) => each(key, (code) => `&#000000${code};`),
  'full-width letters': (key) => each(key, (code) => String.fromCharCode(code + 0xfee0)),
  'dashes of typography': (key) => `sk-ant-${key}`.replaceAll('-', '\u2011'),
  'quoted-printable': (key) => each(key, (code) => `=${code.toString(16).toUpperCase()}`),
  'escapes of a style sheet': (key) => each(key, (code) => `\\${code.toString(16)} `),
  'long escapes of a style sheet': (key) =>
    each(key, (code) => `\\${code.toString(16).padStart(6, '0')}`),
  'escapes of old scripts': (key) => each(key, (code) => `%u00${code.toString(16)}`),
  'escapes of Perl': (key) => each(key, (code) => `\\x{${code.toString(16)}}`),
  'escapes of Python': (key) => each(key, (code) => `\\N{U+00${code.toString(16)}}`),
  'entities of dashes': (key) => `sk-ant-api03-${key}`.replaceAll('-', '&dash;'),
  numbers: (key) => JSON.stringify([...Buffer.from(key)]),
  'letters run into it': (key) => `prefix${key}suffix`,
  'base64 behind a letter': (key) => base64(`x${key}`),
  'groups of nine': (key) => key.replace(/.{9}/g, '$& '),
  'struck over': (key) => each(key, (code) => String.fromCharCode(code, 8, code)),
  'JSON eight deep': (key) => {
    let json = `\n${key}`;
    for (let depth = 0; depth < 8; depth += 1) json = JSON.stringify({ json });
    return json;
  },
};

it.each(Object.entries(WRITTEN))('finds a key in %s', async (way, toText) => {
  const written = toText(makeKey(way));
  const safe = await redact(`see ${written} there`);
  expect(safe).toContain('[REDACTED:');
  expect(safe).not.toContain(written.slice(written.length / 2, -8));
});

const SECRET = 'wkBN72raYD19xc';
const toMail = (text: string): string =>
  Array.from(Buffer.from(text), (byte) =>
    byte > 126 || byte === 61 ? `=${byte.toString(16).toUpperCase()}` : String.fromCharCode(byte),
  ).join('');

/** Forms that a reader of the text as it is does not see. */
it.each([
  ['another language in mail', toMail(`Contraseña: ${SECRET}`)],
  ['a wrapped line of mail', `DB_PASSWORD=\r\n=3D${SECRET}`],
  ['a wide colon in base64', base64(`密码：${SECRET}`)],
  ['arguments in base64', base64("['wandb', 'login', '4f2a9c1b7d3e8a605c4b1f9e2d7a8c3b']")],
  [
    'arguments in entities',
    `execFile(&#39;mysql&#39;, [&#39;-u&#39;, &#39;root&#39;, &#39;-p${SECRET}&#39;])`,
  ],
  ['lines of which one has escapes', `tokens:\n  - &quot;${SECRET}&quot;`],
  ['removed lines', `-Setup code: ${SECRET}`],
  ['removed commands', `-mysql -u root -p${SECRET}`],
  ['quoted sections', `> [tokens]\n> bob = "${SECRET}"`],
  ['quotes of quotes', `>> secrets:\n>>   mail: "4f2a9c1b7d3e8a605c4b1f9e2d7a8c3b"`],
  ['numbered tables', '    12\tuser|password\n    13\tbob|Sommer77!'],
  ['tables that grep finds', 'a/b.txt:12:| password |\na/b.txt:13:|---|\na/b.txt:14:| Sommer77! |'],
  ['a listing of bat', '  12   │ user,password\n  13   │ bob,Sommer77!'],
  ['logs of containers', 'web_1  | user,password\nweb_1  | bob,Sommer77!'],
  ['a diff with numbers', '    12\t-Setup code: ' + SECRET],
  [
    'numbered columns in JSON',
    JSON.stringify({ a: '    12\tuser|password\n    13\tbob|Sommer77!' }),
  ],
  ['comments', '// api_keys:\n//   bob: Sommer77!'],
  ['bold text', '**Password [4f2a9c1b7d3e8a605c4b1f9e2d7a8c3b]**'],
  ['a text within JSON', JSON.stringify({ text: 'user,password\nbob,Sommer77!' })],
  ['quotes in quotes of a shell', `sh -c 'PDO('\\''a'\\'', '\\''Sommer77!'\\'')'`],
  ['a list in a shell', `sh -c 'f(['"'"'wandb'"'"', '"'"'login'"'"', '"'"'Sommer77!'"'"'])'`],
  ['a text in a form', `text=${encodeURIComponent('[secrets]\nmail = Sommer77!')}&page=2`],
  [
    'a cookie far from the margin',
    `${' '.repeat(12)}["PHPSESSID"]=>\n${' '.repeat(12)}string(26) "Sommer77!"`,
  ],
  ['a text within a page', '<pre>user|password\nbob|Sommer77!</pre>'],
  ['a text within a URL', `https://e.org/?q=${encodeURIComponent('[secrets]\nmail = Sommer77!')}`],
  [
    'arguments within JSON',
    '{"cmd": "smbclient -U \\"bob%4f2a9c1b7d3e8a605c4b1f9e2d7a8c3b\\" //h/s"}',
  ],
  ['an argument at the end of JSON', `{"cmd": "db2 connect to x using ${base64(`${SECRET}!?`)}"}`],
  [
    'an argument before a member',
    `{"cmd":"db2 connect to x using ${base64(`${SECRET}!?`)}","a":"b"}`,
  ],
  ['an argument at the end of a sentence', `Do db2 connect to x using ${base64(`${SECRET}!?`)}!`],
  ['an argument at the end of an element', `<code>samba-tool user create bob ${SECRET}</code>`],
  ['a member at the end of a sentence', 'PASSWORDS[bob]=4f2a9c1b7d3e8a605c4b1f9e2d7a8c3b.'],
  [
    'a character over two lines of mail',
    `=E3=83=\n=91=E3=82=B9=E3=83=AF=E3=83=BC=E3=83=89: Sommer77!`,
  ],
  [
    'another language in a style sheet',
    String.raw`contrase\0000f1a: Sommer77!; contrase\f1 a: Sommer77!`,
  ],
  ['a table in Markdown', String.raw`| password |${'\n'}|---|${'\n'}| Sommer77\! |`],
  [
    'a text within JSON in JSON',
    JSON.stringify({ a: JSON.stringify({ b: 'tokens:\n  bob: Sommer77!' }) }),
  ],
  ['columns in quotes on a page', '<pre>"password";"user"\n"Sommer77!";"bob"</pre>'],
  ['base64 without digits', 'Token ID: NEdDbWlWdmFnTmxRdHpUbVdUQlF+Pw=='],
  ['columns in mail', `user=09password\nbob=09Sommer77!`],
  ['code', `run \`runas /user:bob ${SECRET}\` now`],
  ['a text in a list of JSON', JSON.stringify(['user\tpassword\nbob\tSommer77!', 'x'])],
  [
    'a text in a list on lines',
    JSON.stringify(['user,password\nbob,Sommer77!', 'x'], undefined, 2),
  ],
  ['a text in a list in JSON', JSON.stringify({ a: JSON.stringify(['token\n---\nSommer77!', 1]) })],
  ['a text that is JSON', JSON.stringify('tokens:\n  - "Sommer77!"')],
  [
    'a definition of Gradle in JSON',
    JSON.stringify({ a: 'buildConfigField "String", "API_KEY", "\\"Sommer77!\\""' }),
  ],
  ['a box', '│ user,password    │\n│ bob,Sommer77!    │'],
  ['a box of a section', '┃ [tokens] ┃\n┃ bob = "Sommer77!" ┃'],
])('finds a secret in %s', async (_, text) => {
  const safe = await redact(`see\n${text}\nthere`);
  expect(safe).toContain('[REDACTED:');
  expect(safe).not.toMatch(/wkBN72r|aYD19xc|4f2a9c1|Sommer77|d2FuZGIn|d2tCTjc|eGMhPw/);
});

it.each([
  ['xxd', '00000000: ', /.{1,4}/g],
  ['hexdump -C', '00000000  ', /.{1,2}/g],
])('finds a key in what %s prints', async (_, place, groups) => {
  const key = makeKey('dump');
  const lines = `A=1\nB="${key}"\n`.match(/[^]{1,16}/g) ?? [];
  const toLine = (text: string): string =>
    `${place}${toHex(text).match(groups)?.join(' ')}  |${text.replaceAll('\n', '.')}|`;
  const safe = await redact(`$ dump .env\n${lines.map(toLine).join('\n')}\n$`);
  expect(safe).toBe('$ dump .env\n[REDACTED:github-token]$');
});

it.each([
  ['one line', (line: string) => `${line}<br>`],
  ['a diff', (line: string) => `-${line}`],
  ['numbered lines', (line: string, at: number) => `${`${at + 7}`.padStart(6)}\t${line}`],
  ['a log', (line: string) => `2026-03-01T10:00:00Z ${line}`],
  ['strings of a program', (line: string) => `"${line}\\n" +`],
])('finds a private key, and the end of one, in %s', async (_, toLine) => {
  const mark = 'RSA PRIVATE KEY-----';
  const parts = ['a', 'b', 'c', 'd'].map((name) =>
    (makeKey(name) + makeKey(`${name}2`)).replaceAll('_', '/'),
  );
  const lines = [`-----BEGIN ${mark}`, ...parts, `-----END ${mark}`].map(toLine);
  for (const part of [lines, lines.slice(0, 4), lines.slice(2)]) {
    const safe = await redact(`first:\n${part.join('\n')}\nlast`);
    expect(parts.filter((one) => safe.includes(one.slice(-20)))).toEqual([]);
    expect(safe).toMatch(/^first:/);
  }
});

/** The beginnings of lines that are read with them, and without. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  'what grep finds': 'src/a.env:12:',
  'what stands around what grep finds': 'src/.env-12-',
  'the lines of one file': '12-',
  'a removed line': '-',
  'an added line': '+',
  'an old line': '< ',
  'an added line of pi': '+12 ',
  'a removed line of pi': '-  7 ',
  'a line of a diff of pi': ' 12 ',
  'a trace of a shell': '+ ',
  'a comment of a shell': '# ',
  'a line without effect': '#',
  'a comment of SQL': '-- ',
  'a comment of Lisp': ';; ',
  'a comment of an ini file': '; ',
};

it.each(Object.entries(BEGINNINGS))(
  'finds secrets on lines that begin as %s',
  async (_, begins) => {
    for (const secret of ['Sommer77!', '5f2c9a7b-be01-4386-a9c0-f1e2d3b4a596']) {
      const lines = ['tokens:', `  bob: ${secret}`, '[passwords]', `ann = ${secret}`];
      const safe = await redact(lines.map((line) => `${begins}${line}`).join('\n'));
      expect(safe.match(/REDACTED/g)).toHaveLength(2);
      expect(safe).not.toMatch(/Sommer|77!|5f2c|a596/);
    }
  },
);

it.each([
  ['a page', '<code>smbclient -U &#39;bob%4f2a9c1b7d&#39; //h/s</code>'],
  ['an attribute', '<a cmd="smbclient //h/s -U &quot;bob%4f2a9c1b7d&quot;">'],
  ['a string', String.raw`{"log": "x\nsmbclient -U 'bob%4f2a9c1b7d' //h/s\ny"}`],
  [
    'a string in a string',
    JSON.stringify(String.raw`{"a": "\"-U\", \nrpcclient -U \"bob%4f2a9c1b7d\" h"}`),
  ],
  ['bytes of Python', String.raw`b'smbclient -U \'bob%4f2a9c1b7d\' //h/s'`],
])('takes no sign between a user and a password for an escape in %s', async (_, text) => {
  expect(await redact(text)).not.toMatch(/4f2a|1b7d/);
});

it('reads base64 beyond ASCII whose line is as long as those that are wrapped', async () => {
  const word = Buffer.from('la contraseña es 01c76eff7e7498d571da871c213e1d76\n').toString(
    'base64',
  );
  expect(await redact(`see\n${word}\nthere`)).not.toContain('MDFjNzZl');
});

it('reads two texts in numbered lines of base64, one above the other', async () => {
  const words = `${'the worker was slow again today because the disk was full '.repeat(4)}so on `;
  const first = base64(`${words.padEnd(279)}Zk3v9Qw8ErTyXb5Q ${words.slice(0, 81)}`);
  const lines = first.split(/(?<=^(?:.{76})+)(?=.)/);
  const listing = [...lines, ...lines].map((line, at) => `${String(at + 1).padStart(6)}\t${line}`);
  const text = await redact(`${listing.join('\n')}\n\nDB_PASSWORD=Zk3v9Qw8ErTyXb5Q`);
  expect(first).toMatch(/[^=]=$/);
  expect(text).not.toContain(base64('Zk3v9Q'));
});

it('takes out no word of the next line', async () => {
  const key = makeKey('whole');
  for (const next of ['export_table2 = 1', 'function2(a)', '13\tconst1 = 2', '> see also4you']) {
    expect(await redact(`${key}\n${next}`)).toBe(`[REDACTED:github-token]\n${next}`);
  }
});

it.each([
  'see main...feature2, "sk-learn" + "pipeline2model", [0m and README.md',
  'use sk-learn 2Bfoo pipeline4Model getUser3 and version2Beta of sk-image 3Dmodel',
  'npm_config userAgent2 registryUrl1, a=20&b=30, C:\\54 files, [100, 200, 30, 40]',
  'a list:\n- one-thing-2\n- AnotherThing3\n12: x\n13: y',
  '00000000: 6768 705f 3d3d, 10:20:30:40:50:60:70:80:90:a0:b0:c0:d0',
])('leaves alone: %s', async (text) => {
  expect(await redact(text)).toBe(text);
});

/** Lines of which the second goes on with the word of the first. */
const BROKEN: Readonly<Record<string, (first: string, second: string) => string>> = {
  'two lines': (first, second) => `${first}\n${second}`,
  'a sentence': (first, second) => `it is ${first}\r\n    ${second} and more`,
  'a quote': (first, second) => `> ${first}\n> ${second}`,
  'a diff': (first, second) => `+${first}\n+${second}`,
  'a listing': (first, second) => `    12\t${first}\n    13\t${second}`,
};

it.each(Object.entries(BROKEN))(
  'finds a secret that another place gives away wherever %s break it',
  async (_, breakAt) => {
    for (const secret of [
      'eoVdN-0cGp_UUc.33x',
      '60ade1c9-c84b-b935-0df1-c528a41261b4',
      'a1Y3QVlpYnJ3ZQ==',
      'Zk4~tR9&wQ!Grüße',
    ]) {
      const redactor = new Redactor(detectSecrets, []);
      await redactor.learn({ password: secret }, 1);
      for (let at = 2; at < secret.length - 1; at += 1) {
        const text = `see\n${breakAt(secret.slice(0, at), secret.slice(at))}\nthere`;
        expect(JSON.stringify(await redactor.redact({ text }, 2))).toContain('[REDACTED:');
      }
    }
  },
);

it('finds a secret with a backslash that JSON in a text gives away', async () => {
  const redactor = new Redactor(detectSecrets, []);
  await redactor.learn({ text: String.raw`see {"password": "Sommer81\\gq"}` }, 1);
  const text = String.raw`it is Sommer81\gq`;
  expect(await redactor.redact({ text }, 2)).toEqual({ text: 'it is [REDACTED:assigned-secret]' });
});

it.each([
  ['crates.io token', 20],
  ['NuGet key', 20],
  ['Google refresh token', 30],
  ['Twilio key', 17],
  ['AWS Bedrock key', 60],
  ['Azure client secret', 20],
  ['OpenRouter key', 33],
  ['Grafana token', 34],
])('finds a %s that lines break below a word and above another', async (name, at) => {
  const key = KEYS.find(({ kind }) => kind === name)?.text ?? '';
  const [first, second] = [key.slice(0, at), key.slice(at)];
  for (const lines of [...Object.values(BROKEN), (a: string, b: string) => `"${a}" + "${b}"`]) {
    const safe = await redact(`see\n${lines(first, second)}\nthere`);
    expect(safe.includes(first) || safe.includes(second)).toBe(false);
  }
});
