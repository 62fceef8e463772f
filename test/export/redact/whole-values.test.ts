import { describe, expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { getString, type JsonObject } from '../../../src/session/jsonl/edit/json.ts';
import { makeKey } from './kinds.ts';

const redact = (payload: JsonObject): Promise<JsonObject> =>
  new Redactor(detectSecrets, []).redact(payload, 1);

/** Letters of base64 that look random, the same in every run. */
function makeBase64(bytes: number): string {
  let state = 1;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
  return Buffer.from(Array.from({ length: bytes }, next)).toString('base64');
}

describe('JSON in a string', () => {
  it.each([
    ['a number', '{"user":"bob","password":88123456,"x":1}', '88123456'],
    ['a code', '{"pin": 7391}', '7391'],
    ['an escape', String.raw`{"cmd":"mysql -uroot -p\"aB3\\\"x9Zq\" db"}`, 'x9Zq'],
  ])('is JSON again when %s was taken out', async (_what, text, secret) => {
    const safe = getString(await redact({ given: text }), 'given') ?? '';
    expect(JSON.stringify(JSON.parse(safe))).not.toContain(secret);
    expect(safe).toContain('[REDACTED:');
  });

  it('takes a list of one secret as long as a list of others', async () => {
    const measure = async (toPassword: (index: number) => string): Promise<number> => {
      const list = Array.from({ length: 3900 }, (_, index) => ({ password: toPassword(index) }));
      const { user: before } = process.cpuUsage();
      expect(JSON.stringify(await redact({ output: JSON.stringify(list) }))).not.toContain('xyzq');
      return process.cpuUsage().user - before;
    };
    const others = await measure((index) => `aB${1000 + index}$xyzq`);
    expect(await measure(() => 'aB3$xyzq')).toBeLessThan(10 * others);
  });
});

describe('members', () => {
  it('are all there, though several were named by secrets', async () => {
    const names = ['one', 'two', 'three'].map(makeKey);
    const { env } = await redact({ env: Object.fromEntries(names.map((name) => [name, 1])) });
    expect(Object.keys(env ?? {})).toHaveLength(3);
    expect(JSON.stringify(env)).not.toMatch(new RegExp(names.join('|')));
  });

  it.each([
    ['arguments', { arguments: { command: makeKey('argument') }, thoughtSignature: 'c2ln' }],
    ['a summary', { summary: [{ text: makeKey('summary') }], encrypted_content: 'c2ln' }],
  ])('lose a signature over words in %s', async (_where, block) => {
    expect(JSON.stringify(await redact({ payload: block }))).not.toContain('c2ln');
    const other = JSON.parse(JSON.stringify(block).replaceAll(/ghp_\w+/g, 'x')) as JsonObject;
    expect(JSON.stringify(await redact({ payload: other }))).toContain('c2ln');
  });

  it('may be nested deeply under long names', async () => {
    let inner: JsonObject = { secret: makeKey('deep') };
    for (let depth = 0; depth < 900; depth += 1) {
      const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`k${at}`, 'v']));
      inner = { ...many, ['n'.repeat(300)]: inner };
    }
    const redactor = new Redactor(detectSecrets, []);
    expect(JSON.stringify(await redactor.redact({ inner }, 1))).not.toContain(makeKey('deep'));
    expect(redactor.redactions[0]?.field.length).toBeLessThan(3000);
  });
});

describe('a word near the name of a secret', () => {
  const secret = 'wkBN72raYD19xcQm84LpZs03';
  const words = 'see the page for more of it in the docs and so on '.repeat(8);
  const distances = Array.from({ length: 90 }, (_, at) => 60 + 2 * at);

  it.each([
    ['behind it', (between: string): string => `login ${between} ${secret} and then`],
    ['before it', (between: string): string => `see ${secret} ${between} login`],
    ['on the next line', (between: string): string => `the login:\n${between} ${secret} and then`],
    ['in quotes', (between: string): string => `see '${secret}', ${between} login`],
  ])('is taken out whole or not at all: %s', async (_where, write) => {
    const parts = new Set<string>();
    for (const length of distances) {
      const text = write(words.slice(0, length).trim());
      const safe = getString(await redact({ text }), 'text') ?? '';
      parts.add(safe.replace(text.slice(0, text.indexOf(secret)), '').split(' ')[0] ?? '');
    }
    expect([...parts].map((part) => part.replace(/['",]/g, '')).toSorted()).toEqual([
      '[REDACTED:secret-word]',
      secret,
    ]);
  });

  it('is not a checksum of which a part is near it', async () => {
    const sum = makeBase64(48);
    const text = `<script integrity="sha384-${sum}" src="https://example.com/static/of/the/site/login.js">`;
    expect(await redact({ text })).toEqual({ text });
  });
});

describe('a secret that is longer than a pattern sees', () => {
  const secret = makeBase64(450).replaceAll('/', 'x');

  it.each([
    'Secret Value: *',
    'password for our staging server is *',
    'Zugangsdaten: bob / *',
    '[tokens]\nbob = "*"',
    'tokens:\n  bob: *',
    'passwords.put("bob", "*");',
    'https://example.com/login?user=a&p=*',
    'restic -r x init <<< *',
    'password\n--------\n*\n(1 row)',
  ])('is taken out to its end: %s', async (form) => {
    const safe = getString(await redact({ text: form.replace('*', secret) }), 'text') ?? '';
    expect(safe).toMatch(/\[REDACTED:[a-z-]+\]/);
    expect(safe).not.toContain(secret.slice(-5));
  });
});

describe('long words', () => {
  it.each([
    ['base64', makeBase64(5_000_000)],
    ['a token without an end', `eyJhbGciOiJIUzI1NiJ9.eyJ${'-'.repeat(7_000_000)}`],
    [
      'lines of base64',
      'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5ejAx\n'.repeat(90_000),
    ],
  ])('are read, and what stands behind them: %s', async (_what, long) => {
    const text = getString(await redact({ text: `${long} ${makeKey('behind')}` }), 'text');
    expect(text?.slice(-40)).toContain('[REDACTED:');
    expect(text).not.toContain(makeKey('behind'));
  });

  it.each([
    ['a key', makeKey('at the border'), 999_980],
    ['a password', '"password":"wkBN72raYD19xc"', 999_987],
    ['one that begins before', '"password":"wkBN72raYD19xc"', 999_980],
  ])('hide none at the border of what is read at once: %s', async (_what, secret, at) => {
    const text = `${'"k":"v",'.repeat(125_000).slice(0, at)},${secret},${'"k":"v",'.repeat(20)}`;
    const safe = getString(await redact({ text }), 'text') ?? '';
    const part = secret.replaceAll('"', '').slice(-12);
    expect([safe.includes(part), safe.includes(part.slice(-7))]).toEqual([false, false]);
    expect(text.length - safe.length).toBeLessThan(40);
  });
});

describe('pictures and PDF', () => {
  const data = (start: string): string => start + makeBase64(300_000);
  const png = data('iVBORw0KGgo');
  it.each([
    ['Codex', { type: 'input_image', image_url: `data:image/png;base64,${png}` }],
    ['a prompt of Codex', { type: 'user_message', images: [`data:image/png;base64,${png}`] }],
    ['an image that Codex made', { type: 'image_generation_call', result: png }],
    ['Claude Code', { type: 'base64', media_type: 'application/pdf', data: data('JVBERi0x') }],
    ['a file of Claude Code', { type: 'pdf', file: { base64: data('JVBERi0x') } }],
  ])('keep every byte: %s', async (_where, block) => {
    const payload = { content: [{ text: makeKey('beside') }, block] };
    const safe = await redact(payload);
    expect(safe).toEqual({ content: [{ text: '[REDACTED:github-token]' }, block] });
  });

  it('are not what only begins with the letters of one', async () => {
    const text = `BASE_URL=http://x\nGITHUB_TOKEN=${makeKey('in base64')}\n`;
    const encoded = Buffer.from(text).toString('base64').replace(/=+$/, '');
    const block = { type: 'base64', media_type: 'text/plain', data: encoded };
    expect(JSON.stringify(await redact({ source: block }))).not.toContain(encoded);
  });
});
