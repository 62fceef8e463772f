import { describe, expect, it } from 'vitest';
import { toFileStem } from '../../../src/export/file-stem.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';
import type { SessionSummary } from '../../../src/session/model/summary.ts';
import { base64, P } from './made-up.ts';
import { VALUES } from './redact-text.ts';

const HIDDEN = '[REDACTED:secret-file]';

async function redact(exact: readonly string[], payload: JsonObject): Promise<JsonObject> {
  return new Redactor(detectSecrets, exact).redact(payload, 1);
}

async function redactText(exact: string, text: string): Promise<unknown> {
  return (await redact([exact], { text: `see ${text} there` }))['text'];
}

const escapeAll = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

describe('secrets that are known', () => {
  it.each([
    ['a quote of typography and a backslash', 'Kr9’wz\\qX27'],
    ['a letter with a mark of its own and a percent sign', 'Kn7U\u0301x%41zv\\q'],
    ['a backslash before a letter that is not ASCII', 'pB9x\\\u65e5a|37'],
    ['an emoji and what looks like an escape', 'Kq7\u{1F469}\u200D\u{1F4BB}x%Dc9v'],
  ])('are found in JSON that escapes what is not ASCII: %s', async (_, secret) => {
    expect(await redactText(secret, escapeAll(secret))).toBe(`see ${HIDDEN} there`);
  });

  it.each([
    ['Python', (bytes: Buffer) => bytes.toString('hex').replace(/../g, String.raw`\x$&`)],
    ['Git', (bytes: Buffer) => Array.from(bytes, (byte) => `\\${byte.toString(8)}`).join('')],
  ])('are found where %s shows the bytes of a letter', async (_, show) => {
    const secret = 'Kr9ü漢🙂x27';
    const shown = secret.replace(/[^ -~]+/gu, (letters) => show(Buffer.from(letters)));
    expect(await redactText(secret, shown)).toBe(`see ${HIDDEN} there`);
  });

  it.each([`a"b12\\Jk9Zq3`, `a'b12\\Jk9Zq3`, 'a`b12\\Jk9\\Zq3'])(
    'are found as they are where a string gave them away that escapes a quote and a backslash: %s',
    async (secret) => {
      const quote = /["'`]/.exec(secret)?.[0] ?? '';
      const text = secret.replace(/["'`\\]/g, String.raw`\$&`);
      const given = { given: `DB_PASSWORD=${quote}${text}${quote}`, text: `see ${secret} there` };
      const safe = JSON.stringify(await new Redactor(detectSecrets, []).redact(given, 1));
      expect(safe).not.toMatch(/Jk9/);
    },
  );

  it.each([
    '1. Authorization: SSWS §.',
    '(Authorization: JWT §)',
    'see `Authorization: AWS4-HMAC-SHA256 Credential=x/y, SignedHeaders=host, Signature=§`.',
    '<p>Authorization: Digest username=bob, response=§</p>',
    '**creds: bob / §**',
    '**user\tpassword\nbob\t§**',
    '{"a": restic -r x init <<< §, "b": 1}',
    'a?user=a&p=§, and more',
    '/* ftp -p §*/',
    'mysqlsh -p§<br />next',
    'mysqldump -uroot -p§>out.sql',
    'mysqldump -uroot -p§|gzip',
    'ldapsearch -w §;echo',
    'gh login -t §&&ls',
    'bao login §。次',
    'iwconfig wlan0 key s:§',
    'パスワード：「§」',
    '密码：【§】',
    'password: «§».',
    'old password: ~~§~~',
    '**Password:** _§_',
    'password: ``§``',
  ])('are found as they are where what gave them away goes on: %s', async (form) => {
    for (const secret of VALUES) {
      const input = { given: form.replace('§', () => secret), text: `see ${secret} there` };
      const { text } = await new Redactor(detectSecrets, []).redact(input, 1);
      expect(text).not.toContain(secret);
    }
  });

  it.each(['Authorization: SSWS §.', 'the password is §;echo'])(
    'are found as they are where what gave them away goes on, with a backslash: %s',
    async (form) => {
      const secret = 'aB3x\\9Zq/k7Lm';
      const input = { given: form.replace('§', () => secret), text: `see ${secret} there` };
      const { text } = await new Redactor(detectSecrets, []).redact(input, 1);
      expect(text).not.toContain('k7Lm');
    },
  );

  it.each(['^M', '^M$', '^I', '[K', '=0D=0A', '_x000D_'])(
    'are found as they are where the end of their line was shown as %s',
    async (end) => {
      for (const secret of ['Sommer77!', '3f786850e387550fdab836ed7e6dc881']) {
        const input = { given: `+DB_PASSWORD=${secret}${end}`, text: `see ${secret} there` };
        const { text } = await new Redactor(detectSecrets, []).redact(input, 1);
        expect(text).not.toContain(secret);
      }
    },
  );

  it('are found as they are where a sentence goes on behind the words of a wallet', async () => {
    const phrase = 'rcv wjnc tsoyn nvubus yxmiipj bpkkmroe vvd slih hryvw xgkcjf krcctjy gmepwbjr';
    const given = `MNEMONIC="${phrase}", and more of what is there`;
    const safe = await new Redactor(detectSecrets, []).redact({ given, text: `a ${phrase}` }, 1);
    expect(safe['given']).toContain('", and more of what is there');
    expect(safe['text']).not.toContain('nvubus');
  });

  const LOGIN = (password: string): string => Buffer.from(`bob:${password}`).toString('base64');
  const URL = (password: string): string => `postgres://bob:${encodeURIComponent(password)}@db/x`;
  const JSON_IN_JSON = (password: string): string =>
    JSON.stringify(JSON.stringify(JSON.stringify({ password })));

  it.each([
    ['a URL', URL, "Tr0ub4dor'3xQ9"],
    ['a URL', URL, '$Kx9{q7}L*m2Vt'],
    ['a URL', URL, 'aB3"x9Zq\\k7Lm'],
    ['a login', (one: string) => `Authorization: Basic ${LOGIN(one)}`, 'pä§Wört-77X9q'],
    ['a login', (one: string) => `Authorization: Basic ${LOGIN(one)}`, 'aB3"x9Zq\\k7Lm'],
    ['JSON in JSON', JSON_IN_JSON, 'aB3"x9Zq\\k7Lm'],
    ['JSON in JSON', JSON_IN_JSON, 'aB3x9Zq\\k7Lm'],
  ])('are found as they are where %s gave them away: %s, %s', async (_, give, secret) => {
    const given = { given: give(secret), text: `see ${secret} there`, json: { text: secret } };
    for (const input of [given, { input: JSON.stringify(given) }]) {
      const safe = JSON.stringify(await new Redactor(detectSecrets, []).redact(input, 1));
      expect(safe).not.toMatch(/4dor|q7\}L|Zq|rt-77/);
    }
  });

  it('are found in base64 where the arguments of Codex quoted a quote for a shell', async () => {
    const secret = "Tr0ub4dor'3xQ9";
    const given = JSON.stringify({
      cmd: `mysql -uroot -p'${secret.replace("'", String.raw`'\''`)}' x`,
    });
    const text = Buffer.from(secret).toString('base64');
    const safe = await new Redactor(detectSecrets, []).redact({ arguments: given, text }, 1);
    expect(safe['text']).toBe('[REDACTED:command-password]');
  });

  const [LONG, SHORT] = ['wkBN72raYD19xcQ7mV3pLt8z', 'wkBN72raYD19xcQ7mV'];

  it.each([
    ['base64', Buffer.from(SHORT).toString('base64'), '…'],
    ['base64 within a character', Buffer.from(SHORT).toString('base64').slice(0, -1), '...'],
    ['base64 of more', Buffer.from(`it is ${SHORT}`).toString('base64'), '\n[120 lines truncated]'],
    ['two lines', Buffer.from(`${'-'.repeat(50)} ${SHORT}`).toString('base64'), ' [cut off]'],
    ['hexadecimal', Buffer.from(SHORT).toString('hex'), '…'],
    ['half a byte', `${Buffer.from(SHORT).toString('hex')}4`, ' [truncated]'],
  ])('are found in part in %s that is cut off', async (_, encoded, cut) => {
    const text = encoded.replace(/^.{76}/, '$&\n');
    expect(await redactText(LONG, text + cut)).toBe(`see ${HIDDEN}${cut} there`);
    expect(await redactText(LONG, text)).toBe(`see ${text} there`);
  });

  it.each([
    ['a URL', 'wkBN72r%2DaYD19xcQ7'],
    ['HTML', 'wkBN72r&#45;aYD19xcQ7'],
    ['Markdown', String.raw`wkBN72r\-aYD19xcQ7`],
  ])('are found in part in the escapes of %s above a line that says so', async (_, escaped) => {
    for (const cut of ['\n…', '\n[120 lines truncated]', '\n\n[Showing lines 1-20 of 99]'])
      expect(await redactText('wkBN72r-aYD19xcQ7mV3pLt8z', escaped + cut)).toBe(
        `see ${HIDDEN}${cut} there`,
      );
  });

  it('are found in the head of a mail', async () => {
    const subject = (text: string): string => `Subject: =?utf-8?q?${text}?=`;
    expect(await redactText('Zk4#tR9&wQ7x', subject('Zk4=23tR9=26wQ7x'))).toBe(
      `see ${subject(HIDDEN)} there`,
    );
    // A long head goes on in another word.
    expect(await redactText('Zk4#tR9&wQ7x', subject('Zk4=23t?=\n =?utf-8?q?R9=26wQ7x'))).toBe(
      `see ${subject(HIDDEN)} there`,
    );
  });

  it.each([
    String.raw`\5a k4\23 tR9\26 wQ7x`,
    '=5A=6B=34=23=74=52=39=\n=26=77=51=37=78',
    'Zk4=23t?=\r\n =?utf-8?Q?R9=26wQ7x',
  ])('are found in the escapes of style sheets and mail, which JSON holds: %j', async (written) => {
    const toJson = (output: string): string => JSON.stringify({ output, code: 0 });
    const text = toJson(toJson(`a ${written} b`));
    expect(await redactText('Zk4#tR9&wQ7x', text)).toBe(
      `see ${toJson(toJson(`a ${HIDDEN} b`))} there`,
    );
  });

  it('are found on two lines, of which the other begins far to the right', async () => {
    const text = `wkBN72r\n${' '.repeat(100)}aYD19xc`;
    expect(await redactText('wkBN72raYD19xc', text)).toBe(`see ${HIDDEN} there`);
  });

  it('are no names beside them: those of parameters, and a word that stands for a password', async () => {
    const text =
      'Authorization: Digest username="bob", realm="x", response="5f2b8c1e7a90d4f3"\n' +
      'git clone https://wkBN72raYD19xcwkBN72raYD19xc:x-oauth-basic@example.com/a\n' +
      'the username, and x-oauth-basic';
    const safe = JSON.stringify(await new Redactor(detectSecrets, []).redact({ text }, 1));
    expect(safe).toContain('the username, and x-oauth-basic');
    expect(safe).not.toMatch(/5f2b8c1e|wkBN/);
  });

  it('are found in HTML, also with a backslash at the end', async () => {
    expect(await redactText('Kx7<q9$&w\\', '"Kx7&lt;q9$&amp;w\\"')).not.toContain('q9$');
  });

  it('are found behind other blanks, as a title has them', async () => {
    const text = 'it is Ada \t Byron\n\nKing';
    expect(await redact(['Ada Byron King'], { text })).toEqual({ text: `it is ${HIDDEN}` });
  });

  it('are found in the first message, whose blocks a listing puts behind each other', async () => {
    const firstMessage = 'it was Zk4tR9wQ m2Xv8 indeed';
    expect(await redact(['Zk4tR9wQm2Xv8'], { firstMessage })).toEqual({
      firstMessage: `it was ${HIDDEN} indeed`,
    });
  });

  it.each(['model', 'modelId'])('are found in a provider and its %s', async (name) => {
    const message = { provider: 'acme', [name]: 'hush-9' };
    expect(await redact(['acme/hush-9'], { message })).toEqual({
      message: { provider: HIDDEN, [name]: HIDDEN },
    });
    expect(await redact(['other/hush-9', 'acme/hush-8'], { message })).toEqual({ message });
  });

  it('are found in the name of a tool and its namespace', async () => {
    const call = { namespace: 'acme', name: 'deploy_all' };
    expect(await redact(['acme.deploy'], { call })).toEqual({
      call: { namespace: HIDDEN, name: `${HIDDEN}_all` },
    });
  });

  it('are found in the name of a file, which is in lower case', () => {
    const redactor = new Redactor(detectSecrets, ['acme-merger']);
    const facts = { id: '1a2b', cwd: '/work/Acme Merger', created: '2026-10-03T00:00:00.000Z' };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only these are read
    const summary = facts as SessionSummary;
    expect(toFileStem(summary, '/s.jsonl')).toMatch(/^2026-10-03_acme-merger_1a2b_/);
    expect(toFileStem(summary, '/s.jsonl', redactor)).toMatch(/^2026-10-03_x_1a2b_/);
  });

  it.each([
    ['as it is, then in JSON', ['see Kx"7\\q9Zt', 'see {"a":"Kx\\"7\\\\q9Zt"}']],
    ['in JSON, then as it is', ['see {"a":"Kx\\"7\\\\q9Zt"}', 'see Kx"7\\q9Zt']],
  ])('count as one: %s', async (_, texts) => {
    const redactor = new Redactor(detectSecrets, ['Kx"7\\q9Zt']);
    for (const [at, text] of texts.entries()) await redactor.redact({ text }, at + 1);
    expect(redactor.redactions.map(({ secret, line }) => [secret, line])).toEqual([
      [1, 1],
      [1, 2],
    ]);
  });

  it.each([false, true])('count as one: also in base64 (first: %s)', async (isFirst) => {
    const password = P('one');
    const encoded = { text: `Authorization: Basic ${base64(`app:${password}`)}` };
    const plain = { text: `PGPASSWORD=${password} psql` };
    const redactor = new Redactor(detectSecrets, []);
    for (const payload of isFirst ? [encoded, plain] : [plain, encoded]) {
      await redactor.redact(payload, 1);
    }
    expect(new Set(redactor.redactions.map(({ secret }) => secret)).size).toBe(1);
  });
});

describe('secrets that a value stands for', () => {
  const toBase64 = (text: string): string => Buffer.from(text).toString('base64');

  it.each([
    [
      'with the end of its line',
      (secret: string) => `kind: Secret\ndata:\n  pw: ${toBase64(`${secret}\n`)}\n`,
    ],
    ['with an end of Windows', (secret: string) => `password: ${toBase64(`${secret}\r\n`)}`],
    ['behind a user of mail', (secret: string) => `AUTH PLAIN ${toBase64(`\0bob\0${secret}`)}`],
    ['in hexadecimal', (secret: string) => `DB_PASSWORD=${Buffer.from(secret).toString('hex')}`],
    [
      'in hexadecimal of SQL',
      (secret: string) => `password: 0x${Buffer.from(secret).toString('hex')}`,
    ],
  ])('are found as they are elsewhere: %s', async (_, give) => {
    for (const secret of ['Sommer77!', 'wkBN72raYD19xc', '7c9e6679-7425-40de-944b-e07fc1f90ae7']) {
      const payload = { text: `it is ${secret} there`, given: give(secret) };
      expect(await redact([], payload)).toHaveProperty('text', expect.not.stringContaining(secret));
    }
  });
});
