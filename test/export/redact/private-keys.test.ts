import { expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { findPrivateKeys } from '../../../src/export/redact/secrets/private-keys.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { makeKey } from './kinds.ts';
import { redact } from './redact-text.ts';

const makeLine = (seed: number): string =>
  `${makeKey(`line${seed}`)}${makeKey(`more${seed}`)}`.replaceAll('ghp_', '').slice(0, 64);
const LINES = Array.from({ length: 8 }, (_, at) => makeLine(at));
const SHORT = 'aB3dE5fG7hI9jK1=';
const frame = (label: string, first: string): readonly string[] => [
  `-----BEGIN ${label}-----`,
  first + (LINES[0] ?? '').slice(first.length),
  ...LINES.slice(1),
  SHORT,
  `-----END ${label}-----`,
];

const KEYS: Readonly<Record<string, readonly string[]>> = {
  'PKCS #1': frame('RSA PRIVATE KEY', 'MIIEpAIBAAKCAQEA'),
  'PKCS #8': frame('PRIVATE KEY', 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'),
  'encrypted PKCS #8': frame('ENCRYPTED PRIVATE KEY', 'MIIFLTBXBgkqhkiG9w0BBQ0wSjApBgkq'),
  'SEC 1': frame('EC PRIVATE KEY', 'MIHcAgEBBEIA'),
  OpenSSH: frame('OPENSSH PRIVATE KEY', 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ'),
  'PEM in base64': frame('DATA', 'LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpN').slice(1, -2),
};
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  OpenPGP: [
    '-----BEGIN PGP PRIVATE KEY BLOCK-----',
    'Version: GnuPG v2',
    '',
    ...LINES,
    SHORT,
    '=aB3d',
    '-----END PGP PRIVATE KEY BLOCK-----',
  ],
  PuTTY: ['Comment: x', 'Private-Lines: 9', ...LINES, SHORT, `Private-MAC: ${'0'.repeat(64)}`],
};

/** What may stand before and after each line. */
const PLACED: Readonly<Record<string, (line: string, at: number) => string>> = {
  'grep -r': (line) => `deploy/my-keys/id_rsa:${line}`,
  'grep -r -A': (line) => `deploy/my-keys/id_rsa-${line}`,
  'grep -rn -A': (line, at) => `deploy/my-keys/id_rsa-${at}-${line}`,
  'a long path': (line) => `/Users/Someone/Projects/Company2/Infrastructure/Network/id_rsa-${line}`,
  'git blame': (line, at) => `a1b2c3d4 (An Author 2026-01-01 10:00:00 +0100 ${at}) ${line}`,
  'git log -p': (line) => `+${line}`,
  'gh run view --log': (line) => `build\tRun all tests\t2026-03-01T10:00:00.1234567Z ${line}`,
  'kubectl logs': (line) => `[pod/web-6d4b75cb6d-hwxvq/app] 2026-03-01T10:00:00.12345678Z ${line}`,
  'docker compose logs': (line) => `my-web-1  | 2026-03-01 10:00:00 ${line}`,
  'several containers': (line) => `web-1  | ${line}\ndb-1   | LOG: checkpoint complete: wrote 34`,
  'docker logs': (line) => JSON.stringify({ log: `${line}\n`, time: '2026-03-01T10:00:00.1Z' }),
  'cat -n': (line, at) => `${String(at).padStart(6)}\t${line}`,
  journalctl: (line) => `Mar 01 10:00:00 host-1 app[123]: ${line}`,
  'a quote': (line) => `>> > ${line}`,
  'a comment': (line) => ` * ${line}`,
  'a comment of SQL': (line) => `-- ${line}`,
  'strings of a program': (line) => `  "${line}\\n" +`,
  'bytes of a program': (line) => `    b"${line}\\n"`,
  'calls of a program': (line) => `text.AppendLine("${line}");`,
  'commands of a shell': (line) => `echo '${line}' >> key.pem`,
  'cells of a table': (line, at) => `host-7\t${at}\t${line}\tend`,
};

/** The lines of a body that are not found. */
function findLeft(text: string): readonly string[] {
  const found = [...findPrivateKeys(text)];
  return [...LINES, SHORT].filter((line) => {
    const tail = line.slice(-12);
    const at = text.indexOf(tail);
    return at >= 0 && !found.some(({ start, end }) => start <= at && end >= at + tail.length);
  });
}

it.each(Object.entries(PLACED))('finds private keys behind the lines of %s', async (_, place) => {
  const inside = (lines: readonly string[]): string =>
    `first:\n${lines.map(place).join('\n')}\nlast word`;
  const parts = Object.entries({ ...KEYS, ...OTHERS }).flatMap(([kind, key]) => {
    const body = key.filter((line) => !line.startsWith('-'));
    return [
      [kind, key],
      [`${kind} without its end`, key.slice(0, 6)],
      ...(kind in KEYS ? [[`${kind}, the beginning of its body`, body.slice(0, 6)] as const] : []),
      ...(body.length < key.length ? [[`${kind}, its end`, key.slice(4)] as const] : []),
    ] as const;
  });
  expect(parts.filter(([, part]) => findLeft(inside(part)).length > 0)).toEqual([]);
  const safe = await redact(inside(KEYS['PKCS #1'] ?? []));
  expect([...LINES.slice(1), SHORT].filter((line) => safe.includes(line.slice(-12)))).toEqual([]);
});

it.each(Object.entries(PLACED))(
  'finds lines of the middle alone behind %s',
  async (kind, place) => {
    const parts = [LINES.slice(2, 4), LINES.slice(1, 6), [...LINES.slice(5), SHORT]];
    const texts = parts.map((part) => `first:\n${part.map(place).join('\n')}\nlast word`);
    expect(texts.flatMap(findLeft)).toEqual([]);
    const [, safe = ''] = await Promise.all(texts.map(redact));
    expect([kind, LINES.filter((line) => safe.includes(line.slice(-12)))]).toEqual([kind, []]);
  },
);

it('counts a private key once, and finds a line of it elsewhere', async () => {
  const redactor = new Redactor(detectSecrets, []);
  const text = (KEYS['PKCS #8'] ?? []).map((line) => `key.pem-${line}`).join('\n');
  await redactor.redact({ text }, 1);
  expect(redactor.redactions).toMatchObject([{ rule: 'private-key', secret: 1, count: 1 }]);
  const [, , line = ''] = LINES;
  expect(await redactor.redact({ text: `see ${line}` }, 2)).toEqual({
    text: 'see [REDACTED:private-key]',
  });
});

it.each([
  'MIIDXTCCAkWgAwIBAgIJAJC1HiIAZAiIMA0GCSqGSIb3DQEBBQUAMEUxCzAJBgNV',
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo',
  '`-----BEGIN PRIVATE KEY-----` begins a key, which importPkcs8Key(text) reads.',
  `-----BEGIN PRIVATE KEY-----\n...\n-----BEGIN CERTIFICATE-----\n${LINES[0]}`,
  `-----BEGIN CERTIFICATE-----\n${LINES.join('\n')}`,
  `${LINES.slice(2).join('\n')}\n-----END CERTIFICATE-----`,
  // Text in base64, hashes, and a file that is too long for a key.
  Buffer.from(`See the words of it. ${'They are 12 of them, and Plain. '.repeat(12)}`)
    .toString('base64')
    .replace(/.{64}/g, '$&\n'),
  LINES.map((line) => Buffer.from(line.slice(0, 32)).toString('hex')).join('\n'),
  LINES.map((line) => line.toLowerCase()).join('\n'),
  Array.from({ length: 230 }, (_, at) => LINES[at % 8]).join('\n'),
  `${LINES[2]}\n\nand\n\n${LINES[3]}`,
])('leaves alone: %s', async (text) => {
  expect(await redact(text)).toBe(text);
});

const SUM = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const FAR = 'words on a line\n'.repeat(12);

it.each([
  ['the sum of a file above', `${SUM}  k.pem\n$ sed -n 6,9p k.pem\n*\n`],
  ['the sum of a file below', `*\n${SUM}  k.pem\n`],
  ['a sum between them', `*\n${SUM}\n*\n`],
  ['a ruler above', `${'/'.repeat(76)}\n*\n`],
  ['a transaction above', `-- BEGIN TRANSACTION\n${FAR}*\n`],
  ['the end of something below', `*\n${FAR}-- END OF FILE\n`],
  ['the beginning of a certificate far above', `grep "-----BEGIN CERTIFICATE-----" x\n${FAR}*\n`],
  ['the end of a certificate far below', `*\n${FAR}-----END CERTIFICATE-----\n`],
])('finds lines of a key without a mark, with %s', async (_, text) => {
  const lines = LINES.slice(0, 4);
  const safe = await redact(text.replaceAll('*', lines.join('\n')));
  for (const line of lines) expect(safe).not.toContain(line);
});

it.each([
  ['-----BEGIN CERTIFICATE-----\n*'],
  ['*\n-----END CERTIFICATE-----\n'],
  ['-----BEGIN PGP PUBLIC KEY BLOCK-----\nVersion: GnuPG v2\n\n*'],
])('keeps a part of a certificate or a public key: %j', async (text) => {
  const whole = text.replace('*', LINES.slice(0, 4).join('\n'));
  expect(await redact(whole)).toBe(whole);
});
