import { expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { getString } from '../../../src/session/jsonl/edit/json.ts';
import { makeKey } from './kinds.ts';
import { redact } from './redact-text.ts';

/** What may begin each line that a key is wrapped over; `#` is the number of the line. */
const LINE_BEGINNINGS: readonly string[] = [
  '-- ',
  '; ',
  'src/a.ts-#-',
  '+> ',
  '+# ',
  '    #\t+',
  '    #→# ',
  '   #→ * ',
  '+ # ',
  'src/a.ts:#:// ',
  'L#: ',
  '#:ab|',
  '##ZP:',
  '! ',
  'web-1  | 2026-03-01T10:00:00Z ',
  '2026-03-01T10:00:00.1234567Z ',
  '2026/03/01 10:00:00 ',
];

it.each(LINE_BEGINNINGS)(
  'finds a key and a known secret on lines that begin with %j',
  async (begin) => {
    const lines = (secret: string): string =>
      [secret.slice(0, 12), secret.slice(12)]
        .map((part, index) => `${begin.replace('#', String(index + 12))}${part}\n`)
        .join('');
    const key = makeKey(begin);
    const safe = await redact(`see\n${lines(key)}there`);
    expect(safe).not.toContain(key.slice(0, 12));
    expect(safe).not.toContain(key.slice(12));
    const known = await redact(`password: wkBN72raYD19xcTq58Lm\n${lines('wkBN72raYD19xcTq58Lm')}`);
    expect(known).not.toContain('19xcTq58Lm');
  },
);

/** What logs, tests, listings and boxes put before each line. */
const LOGS: readonly string[] = [
  '[pod/web-7d9f/app] ',
  '[INFO] ',
  'E       ',
  'build\tRun tests\t2026-01-05T10:00:00.1234567Z ',
  '2026-01-05T10:00:00.123456789Z stdout F ',
  '2026-01-05 10:00:00,123 ',
  '10:00:01 ',
  '2026/01/05 10:00:00 ',
  '01/05/2026 10:00:00 ',
  '1/5/2026, 9:00:00 AM ',
  '9:00:01 PM ',
  '[   12.345678] ',
  '2026-01-05T10:00:00.123456Z 01O ',
  '2026-01-05 10:00:00,123 INFO ',
  '2026-01-05 10:00:00,123 - app - INFO - ',
  '[10:00:01.123] INFO (7): ',
  '10:00:01 web.1  | ',
  '2026-01-05T10:00:00.123456+00:00 app[web.1]: ',
  'Jan  5 10:00:00 host app[123]: ',
  '2026-01-05T10:00:00+0000 host app[123]: ',
  '01-05 10:00:00.123  1234  1234 D Tag: ',
  'web:build: ',
  'stdout: ',
  '│ ',
  '  ⎿  ',
  '  > # | ',
  'src/a.ts:#:1:',
  'L#: ',
  '#:ab|',
  '##ZP:',
  '! ',
  'abc12345 (Bob Smith 2026-01-05 10:00:00 +0000 #) ',
  // Logs in a listing.
  'logs/app.log:#:2026-01-05T10:00:00.123Z ',
  'logs/app.log-#-2026-01-05T10:00:00.123Z ',
  'app.log:#:9:10:00:01 ',
  'app.log-#-10:00:01.123 ',
  '#:2026-01-05T10:00:00Z ',
  '#-2026-01-05 10:00:00,123 ',
  '#:10:00:01 ',
  '#-5/1/2026, 9:00:00 AM ',
  '#:01-05 10:00:00.123  1234  1234 D Tag: ',
  'app.log:#:2026-01-05T10:00:00.123456+00:00 host app[7]: ',
  'app.log-#-2026-01-05T10:00:00.123456789Z stdout F ',
  '    #→2026-01-05 10:00:00,123 INFO ',
  '    #\tweb-1  | 2026-01-05T10:00:00Z ',
  'L#: 2026-01-05T10:00:00.123456+00:00 app[web.1]: ',
];

/** Forms of several lines, and what is secret in them. */
const FORMS: readonly (readonly [text: string, secrets: readonly string[]])[] = [
  ['kind: Secret\ndata:\n  foo: aHVudGVyMlN1cGVy\n', ['aHVudGVyMlN1cGVy']],
  ['Recovery codes:\n\n  ab12c-3de4f\n  gh56i-7jk8l\n', ['ab12c-3de4f', 'gh56i-7jk8l']],
  ['user,password\napp,wkBN72raYD19xc\nbob,Tq5kWx83bNzR\n', ['wkBN72raYD19xc', 'Tq5kWx83bNzR']],
  ['| user | password |\n|--|--|\n| app | wkBN72raYD19xc |\n', ['wkBN72raYD19xc']],
  ['use this password to proceed:\n\nwkBN72raYD19xc\n', ['wkBN72raYD19xc']],
];

it.each(LOGS)('finds secrets of several lines in lines that begin with %j', async (begin) => {
  for (const [text, secrets] of FORMS) {
    const logged = text.replace(/^/gm, () => begin.replace('#', '12'));
    const safe = await redact(`see\n${logged}`);
    expect(secrets.filter((secret) => safe.includes(secret))).toEqual([]);
  }
});

it.each(['2026-01-05T10:00:00.123Z ', '[2026-01-05 10:00:00] ', 'web-1  | 2026-01-05T10:00:00Z '])(
  'takes no item of a list behind %j for a host and a program',
  async (begin) => {
    for (const name of ['name', 'key']) {
      const text = `- ${name}: DB_PASSWORD\n  value: Sommer77!\n`.replace(/^(?=.)/gm, begin);
      expect(await redact(`see\n${text}there`)).not.toContain('Sommer77!');
    }
  },
);

/** Diffs of which only the line of the secret `*` is new, below its name. */
const CHANGES: readonly string[] = [
  '@@ -1,3 +1,3 @@\n env:\n - name: DB_PASSWORD\n-  value: changeme\n+  value: *\n',
  '  12   - name: DB_PASSWORD\n  13 -   value: changeme\n  13 +   value: *\n',
  '     "name": "DB_PASSWORD",\n-    "value": "changeme"\n+    "value": "*"\n   }\n',
  '@@ -1,2 +1,3 @@\n [tokens]\n+bob = "Tq5kWx83bNzR"\n+ann = "*"\n',
  '  12 [tokens]\n  13 +bob = "Tq5kWx83bNzR"\n  14 +ann = "*"\n',
];

it.each(CHANGES)(
  'finds a secret whose name is on a line of a diff that is not new: %j',
  async (diff) => {
    expect(await redact(`see\n${diff.replace('*', 'wkBN72raYD19xc')}`)).not.toContain('wkBN72raYD');
  },
);

/** Known secrets, each with a quote in it, and another way to write it. */
const QUOTED: readonly (readonly [secret: string, written: string])[] = [
  [`wkBN7'2raYD`, `x: 'wkBN7''2raYD'`],
  [`wkBN7'2raYD`, `echo 'wkBN7'\\''2raYD'`],
  [`wkBN7'2raYD`, `echo 'wkBN7'"'"'2raYD'`],
  ['wkBN7"2raYD', 'a,"wkBN7""2raYD"'],
  [`wkBN7''2raYD`, `see wkBN7'2raYD`],
];

it.each(QUOTED)('finds the known secret %s in %s', async (password, written) => {
  for (const text of [written, JSON.stringify({ written })]) {
    const redactor = new Redactor(detectSecrets, []);
    await redactor.learn({ password }, 1);
    expect(JSON.stringify(await redactor.redact({ text }, 2))).not.toMatch(/raYD|wkBN/);
  }
});

/** Signs that may stand between two parts of a word, which a secret may hold, too. */
const WITH_SIGNS = [
  'Zk4*tR9wQbN2',
  `Zk4'tR9wQbN2`,
  'Zk4"tR9wQbN2',
  'Zk4`tR9wQbN2',
  'k4...R9wQbN2',
  'Z*4tR9wQb*N',
];
const PUT_TOGETHER: readonly string[] = [
  '" + "',
  '" "',
  '"\n    "',
  '**',
  '<wbr>',
  '</span><span class="x">',
  '\n    13\t',
  ' │\n│ ',
  '"},"finish_reason":null}]}\n\ndata: {"choices":[{"index":0,"delta":{"content":"',
];

it.each(PUT_TOGETHER)('finds a known secret with signs that %j breaks', async (by) => {
  for (const password of WITH_SIGNS) {
    const redactor = new Redactor(detectSecrets, []);
    await redactor.learn({ password }, 1);
    for (const [before, behind] of [
      [' ', ' '],
      ['==', '=='],
      ['"', '"'],
    ] as const) {
      const text = `see${before}${password.slice(0, 7)}${by}${password.slice(7)}${behind}there`;
      const safe = JSON.stringify(await redactor.redact({ text }, 2));
      expect(safe).toContain('[REDACTED:');
      expect(safe).not.toContain(password.slice(8));
    }
  }
});

it.each(['" + "', '" "', `' . '`, '"\n    "', '"\n  + "', '" \\\n  "', '" &\r\n  "'])(
  'finds a known secret that %j breaks beside its signs',
  async (by) => {
    for (const password of ['Zk4tR&9&wQ7x2', 'Zk4t ~x^2qL9', 'pä$Sw-ö9rdX', 'p;q9:Zk,7!r?']) {
      const redactor = new Redactor(detectSecrets, []);
      await redactor.learn({ password }, 1);
      for (let at = 3; at < password.length - 3; at += 1) {
        const text = `x = "${password.slice(0, at)}${by}${password.slice(at)}"`;
        const safe = JSON.stringify(await redactor.redact({ text }, 2));
        expect(safe).not.toContain(password.slice(at));
      }
    }
  },
);

it.each(['…', '...', ' [...] x', '\n\n[... 300 bytes of output cut by coppice ...]\n\nx'])(
  'finds most of a known secret before %j, and not its first letters or what it has in common',
  async (cut) => {
    const redactor = new Redactor(detectSecrets, []);
    await redactor.learn({ password: 'wkBN72raYD19xcTq58Lm' }, 1);
    const text = `see wkBN72raYD19${cut}`;
    const safe = await redactor.redact({ text }, 2);
    expect(safe).toEqual({ text: `see [REDACTED:secret-member]${cut}` });
    const short = { text: `see wkBN72ra${cut}; wkBN72raYD19 is another` };
    expect(await redactor.redact(short, 3)).toEqual(short);
  },
);

it('takes no names of members with a key that is known by its end', async () => {
  const key = `${makeKey('azure')
    .repeat(9)
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, 76)}+AStq7Wz9Q==`;
  const line = (text: string) => {
    const message = { role: 'user', content: [{ type: 'text', text }] };
    return { type: 'message', timestamp: '2026-11-20T10:00:00.000Z', message };
  };
  const safe = await new Redactor(detectSecrets, []).redact(line(`see\n    2\t+${key}\nthere`), 1);
  expect(safe).toEqual(line('see\n    2\t+[REDACTED:azure-secret]\nthere'));
});

const ENCODED_SETTINGS = Buffer.from('PORT=80\nDB_PASSWORD=kR7pQ2vLx9TzB4').toString('base64');

it.each(['│ ', '> ', '  12→', 'web-1  | ', 'a.txt:3:'])(
  'takes only encoded text behind %j, and nothing between it and another line that begins so',
  async (begin) => {
    const line = (encoded: string) => {
      const text = `${begin}${encoded}\nsee\nthese\nlines\n10:00:02 ${encoded}`;
      const message = { role: 'toolResult', toolName: 'bash', content: [{ type: 'text', text }] };
      return { type: 'message', timestamp: '2026-11-20T10:00:00.000Z', message };
    };
    const safe = await new Redactor(detectSecrets, []).redact(line(ENCODED_SETTINGS), 1);
    expect(safe).toEqual(line('[REDACTED:assigned-secret]'));
  },
);

it('takes neither the name of a tool nor a branch with encoded text behind it', async () => {
  const line = (content: string) => ({
    gitBranch: 'main',
    type: 'user',
    message: { toolName: 'bash', content },
  });
  const safe = await new Redactor(detectSecrets, []).redact(line(ENCODED_SETTINGS), 1);
  expect(safe).toEqual(line('[REDACTED:assigned-secret]'));
});

it.each([
  ['A=1\nAPI_TOKEN=*\nDEBUG=true\n', 'kR7pQ2vLx9TzB4kR7pQ2vLx9TzB4'],
  ['A=1\nAPI_TOKEN=*\nDEBUG=true\n', 'kR7pQ2vLx9TzB4kR7pQ2vLx9TzB'],
  ['> Authorization: Basic *\n> User-Agent: curl/8.0\n', 'bob:kR7pQ2vLx9TzB'],
  ['apiVersion: v1\ndata:\n  password: *\n  username: Ym9i\nkind: Secret\n', 'kR7pQ2vLx9TzB'],
  ['see\ndata\n*\nthere', 'password=kR7pQ2vLx9TzB4'],
])('takes no words of other lines with base64: %#', async (around, encoded) => {
  const base64 = Buffer.from(encoded).toString('base64');
  const text = around.replace('*', base64);
  const safe = await new Redactor(detectSecrets, []).redact({ text }, 1);
  const [before, behind] = around.split('*');
  const found = JSON.stringify(safe).replace(/\[REDACTED:[\w-]+\]/, '*');
  expect(JSON.parse(found)).toEqual({ text: `${before}*${behind}` });
});

/** What agents write where they have cut a text off. */
const CUTS: readonly string[] = [
  '[1234 characters truncated]',
  ' [truncated]',
  '\n[Showing lines 1-20 of 300. Use offset=21 to continue.]',
  '<12 lines omitted>',
  '(output truncated)',
  ' (…)',
  '… +12 lines',
  // Behind the end of a string.
  '"...\n',
  "'... 12 more characters",
  '`…',
  '**…',
];

it.each(CUTS)('finds the beginning of a known secret before %j', async (cut) => {
  const redactor = new Redactor(detectSecrets, []);
  await redactor.learn({ password: 'wkBN72raYD19xcTq58Lm' }, 1);
  const safe = await redactor.redact({ text: `it is wkBN72raYD19xc${cut}` }, 2);
  expect(getString(safe, 'text')).not.toContain('wkBN72raYD');
  expect(getString(safe, 'text')).toContain(cut.trim());
});

it.each([
  'section_start:1760000000:deploy\r\u001b[0K',
  'section_start:1760000000:deploy\r\u001b[0K\u001b[0K\u001b[36;1m',
  'resolving\u001b[2K\u001b[1G',
  'resolving\u001b[2K\r',
  'resolving\u001b[1G\u001b[0K',
])('reads a line that a terminal writes over another: %j', async (before) => {
  expect(await redact(`${before}mysql -u root -pwkBN72raYD19xc shop`)).not.toContain(
    'wkBN72raYD19xc',
  );
});

it.each([
  `Command '["xfreerdp", "/u:bob", "/p:wkBN72raYD19xc", "/v:h"]' returned 1`,
  `Command '['xfreerdp', '/u:bob', '/p:wkBN72raYD19xc', '/v:h']' returned 1`,
  `run('cmdkey', ['/add:h', '/user:bob', '/p:wkBN72raYD19xc'])`,
])('finds an option of Windows in quotes: %j', async (text) => {
  expect(await redact(text)).not.toContain('wkBN72raYD19xc');
});

it.each([
  '>  id | name | api_token\n> ----+------+-----------\n>   1 | bob  | *\n> (1 row)',
  '> id\tname\tapi_token\n> 1\tbob\t*\n',
])('finds a column of a quote whose rows begin with a number: %j', async (table) => {
  for (const secret of ['0b7e719d7492d2ca29731889bff9cdf5', 'Sommer77!'])
    expect(await redact(table.replace('*', secret))).not.toContain(secret);
});

it('reads the marked line of a listing without its number', async () => {
  const code = '  11 | const a = 1\n> 12 | DB_PASSWORD=*\n  13 | b()'.replace('*', 'Sommer77!');
  expect(await redact(code)).not.toContain('Sommer77!');
});
