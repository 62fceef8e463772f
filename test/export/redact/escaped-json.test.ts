import { expect, it } from 'vitest';
import { getString } from '../../../src/session/jsonl/edit/json.ts';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { redact } from './redact-text.ts';

const SECRETS = ['m3H2k8L/b2W9x7T', 'm3H2k8L/b2W9x7T+q4'];
/** The escapes of programs that write JSON: of none, PHP and Swift, .NET, and of all. */
const ESCAPES: readonly (readonly [program: string, escaped: RegExp | undefined])[] = [
  ['none', undefined],
  ['PHP', /\//g],
  ['.NET', /[+&<>'`]/g],
  ['all', /./g],
];

function escape(json: string, escaped: RegExp | undefined): string {
  const written = json.replace(escaped ?? /(?!)/g, (sign) =>
    sign === '/' ? String.raw`\/` : `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `"${written}"`;
}

const SHAPES: readonly ((value: string) => string)[] = [
  (value) => `{"element":"Password input","text":${value}}`,
  (value) => `{"httpOnly":true,"name":"sid","value":${value}}`,
  (value) => `{"key":"note","type":"secret","value":${value}}`,
  (value) => `{"command":"docker login -u bob --password-stdin h","stdin":${value}}`,
  (value) => `{"body":${JSON.stringify(`{"element":"Password input","text":${value}}`)}}`,
  (value) => `{\n  "passwords": [\n    ${value},\n    "x"\n  ]\n}`,
  (value) => `{\n  "secrets": {\n    "mail": ${value}\n  }\n}`,
  (value) => `{\n  "DB_PASSWORD": {\n    "value": ${value}\n  }\n}`,
];

it.each(ESCAPES)('finds a secret in JSON with the escapes of %s', async (_, escaped) => {
  const values = SECRETS.map((secret) => escape(secret, escaped));
  for (const [toText, value] of SHAPES.flatMap((one) =>
    values.map((each) => [one, each] as const),
  )) {
    const text = toText(value);
    const safe = await new Redactor(detectSecrets, []).redact({ arguments: text }, 1);
    const shown = getString(safe, 'arguments') ?? '';
    expect(shown).not.toContain(value.slice(1, -1));
    expect(shown).not.toContain(JSON.stringify(value).slice(3, -3));
    expect(shown).toContain('[REDACTED:');
    // The rest is JSON as before.
    expect(() => JSON.parse(shown)).not.toThrow();
  }
});

// A reading that resolves escapes has plain signs.
it('finds a password behind a dash and a remark, whatever escapes they are in', async () => {
  const text = 'пароль администратора — kTuq82xWvb1q';
  const toAscii = (char: string): string =>
    `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  for (const escaped of [
    text.replace('—', '-'),
    `"${text.replace(/[^ -~]/g, toAscii)}"`,
    encodeURIComponent(text),
    text.replace('—', '&mdash;'),
    Buffer.from(text).toString('base64'),
  ]) {
    const safe = await new Redactor(detectSecrets, []).redact({ text: escaped }, 1);
    expect(getString(safe, 'text')).toContain('[REDACTED:');
  }
});

it.each(['https://example.com/a%2520b', '<p>a &amp;amp; b</p>', 'a \\u005cn b'])(
  'decodes base64 in a string of JSON far from other escapes, which are there twice: %s',
  async (twice) => {
    const file = `USER=bob\n${'# a remark of the file\n'.repeat(6)}DB_PASSWORD=wkBN72raYD19xc\nDEBUG=1\n`;
    const lines =
      Buffer.from(file)
        .toString('base64')
        .match(/.{1,60}/g) ?? [];
    const line = lines.at(-2) ?? '';
    const json = JSON.stringify({ encoding: 'base64', content: lines.join('\n') }, undefined, 2);
    const far = 'words on a line\n'.repeat(40);
    expect(line).toHaveLength(60);
    for (const text of [`${json}\n${far}${twice}\n`, `${twice}\n${far}${json}\n`]) {
      const safe = await redact(text);
      expect(safe).not.toContain(line);
      expect(safe).toContain('[REDACTED:');
    }
  },
);

it('reads an escape beside other lines, also behind a path of Windows on its own', async () => {
  const table = '| path | password |\n|---|---|\n| D:\\root | Sommer\\_k77\\! |\n';
  expect(await redact(table)).not.toContain('k77');
  expect(await redact(table.replace('D:\\', 'D:/'))).not.toContain('k77');
});
