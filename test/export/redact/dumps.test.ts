import { expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { getString } from '../../../src/session/jsonl/edit/json.ts';
import { makeKey } from './kinds.ts';
import { redact } from './redact-text.ts';

const toRows = (bytes: Buffer, toRow: (row: Buffer, at: number) => string, width = 16): string =>
  Array.from({ length: Math.ceil(bytes.length / width) }, (_, row) =>
    toRow(bytes.subarray(row * width, (row + 1) * width), row * width),
  ).join('\n');
const toBytes = (row: Buffer, by = ' '): string =>
  Array.from(row, (byte) => byte.toString(16).padStart(2, '0')).join(by);
const toPlace = (at: number, length: number): string => at.toString(16).padStart(length, '0');
const toGroups = (row: Buffer, size: number): string =>
  row
    .toString('hex')
    .match(new RegExp(`.{1,${size * 2}}`, 'g'))
    ?.join(' ') ?? '';
/** Bytes in words that begin with their last byte. */
const toWords = (row: Buffer, size: number, by = ' '): string =>
  Array.from({ length: Math.ceil(row.length / size) }, (_, at) =>
    Buffer.concat([row.subarray(at * size, (at + 1) * size), Buffer.alloc(size)])
      .subarray(0, size)
      .toReversed()
      .reduce((word, byte) => word + byte.toString(16).padStart(2, '0'), ''),
  ).join(by);
const toAscii = (row: Buffer): string => row.toString('latin1').replace(/[^ -~]/g, '.');

/** What programs print of bytes. */
const DUMPS: Readonly<Record<string, (bytes: Buffer) => string>> = {
  xxd: (bytes) =>
    toRows(
      bytes,
      (row, at) => `${toPlace(at, 8)}: ${toGroups(row, 2).padEnd(39)}  ${toAscii(row)}`,
    ),
  'xxd -g4': (bytes) =>
    toRows(
      bytes,
      (row, at) => `${toPlace(at, 8)}: ${toGroups(row, 4).padEnd(35)}  ${toAscii(row)}`,
    ),
  'xxd -i': (bytes) =>
    `unsigned char x[] = {\n${toRows(bytes, (row) => `  ${toBytes(row, ', ').replace(/\w\w/g, '0x$&')}`, 12).replaceAll('\n', ',\n')}\n};`,
  'hexdump -C': (bytes) =>
    toRows(
      bytes,
      (row, at) =>
        `${toPlace(at, 8)}  ${`${toBytes(row.subarray(0, 8))}  ${toBytes(row.subarray(8))}`.padEnd(48)}  |${toAscii(row)}|`,
    ),
  'od -t x1': (bytes) =>
    toRows(bytes, (row, at) => `${at.toString(8).padStart(7, '0')} ${toBytes(row)}`),
  'od -An -t x1': (bytes) => toRows(bytes, (row) => ` ${toBytes(row)}`),
  'tcpdump -X': (bytes) =>
    toRows(
      bytes,
      (row, at) => `\t0x${toPlace(at, 4)}:  ${toGroups(row, 2).padEnd(39)}  ${toAscii(row)}`,
    ),
  Wireshark: (bytes) =>
    toRows(
      bytes,
      (row, at) =>
        `${toPlace(at, 4)}  ${`${toBytes(row.subarray(0, 8))}  ${toBytes(row.subarray(8))}`.padEnd(48)}   ${toAscii(row)}`,
    ),
  'Format-Hex': (bytes) =>
    toRows(
      bytes,
      (row, at) => `${toPlace(at, 16)} ${toBytes(row).toUpperCase().padEnd(47)} ${toAscii(row)}`,
    ),
  'xxd -g16': (bytes) =>
    toRows(
      bytes,
      (row, at) => `${toPlace(at, 8)}: ${toGroups(row, 16).padEnd(32)}  ${toAscii(row)}`,
    ),
  hexdump: (bytes) => toRows(bytes, (row, at) => `${toPlace(at, 7)} ${toWords(row, 2)}`),
  'hexdump -x': (bytes) =>
    toRows(bytes, (row, at) => `${toPlace(at, 7)}    ${toWords(row, 2, '    ')}`),
  'od -t x4': (bytes) =>
    toRows(bytes, (row, at) => `${at.toString(8).padStart(7, '0')} ${toWords(row, 4)}`),
  'xxd -e': (bytes) =>
    toRows(bytes, (row, at) => `${toPlace(at, 8)}: ${toWords(row, 4).padEnd(35)}  ${toAscii(row)}`),
  BitConverter: (bytes) => toBytes(bytes, '-').toUpperCase(),
  'openssl -text': (bytes) =>
    toRows(bytes, (row) => `    ${toBytes(row, ':')}`, 15).replaceAll('\n', ':\n'),
  numbers: (bytes) => JSON.stringify([...bytes]),
  'numbers on lines': (bytes) => JSON.stringify([...bytes], undefined, 2),
  'bytes on a line': (bytes) => toBytes(bytes),
};

// The words of a dump whose bytes are in another order look random, and may be found first.
it.each(Object.entries(DUMPS))(
  'finds secrets in %s wherever it is read in parts',
  async (way, dump) => {
    const words = (length: number): string =>
      'the disk was full again '.repeat(200).slice(0, length);
    const key = makeKey(way);
    for (const length of [40, 210, 230, 245, 3170, 3187, 3199]) {
      for (const before of [words(length), `${words(length)}${length % 16 === 0 ? '' : ' '}`]) {
        const bytes = Buffer.from(`${before} ${key} ${words(120)}`);
        expect(await redact(`see\n${dump(bytes)}\nthere`)).toMatch(
          /\[REDACTED:(?:github-token|secret-word)\]/,
        );
        const redactor = new Redactor(detectSecrets, ['wkBN72raYD19xc']);
        const known = Buffer.from(`${before} wkBN72raYD19xc ${words(120)}`);
        const safe = await redactor.redact({ text: `see\n${dump(known)}\nthere` }, 1);
        expect(getString(safe, 'text')).toMatch(/\[REDACTED:(?:secret-file|secret-word)\]/);
      }
    }
  },
);

const Z_LEFT = /(?:(?:0x)?(?:5a){1,16}[\W_]{1,9}){4}|(?:90,\s{0,9}){4}|5a5a5a5a|ZZZZ/i;

it.each(Object.entries(DUMPS))(
  'finds a token in %s that is longer than what two parts have in common',
  async (_, dump) => {
    for (const before of [
      '',
      'the disk was full – ',
      'é'.repeat(1595),
      '\0\x01\xff the disk was full ',
    ]) {
      const token = `eyJhbGciOiJSUzI1NiJ9.eyJ${'Z'.repeat(1900)}.${'Zk4t'.repeat(50)}`;
      const bytes = Buffer.from(
        `${before}\n${token}\nthere`,
        before.startsWith('\0') ? 'latin1' : 'utf8',
      );
      const text = `see\n${dump(bytes)}\nthere`;
      expect(text).toMatch(Z_LEFT);
      expect(await redact(text)).not.toMatch(Z_LEFT);
    }
  },
);

it.each([false, true])('finds a long token in UTF-16, with its bytes swapped: %s', async (swap) => {
  const token = `eyJhbGciOiJSUzI1NiJ9.eyJ${'Z'.repeat(1900)}`;
  for (const mark of ['\ufeff', '']) {
    const bytes = Buffer.from(`${mark}see ${token}\r\nthere`, 'utf16le');
    if (swap) bytes.swap16();
    for (const dump of [DUMPS['xxd'], DUMPS['bytes on a line']]) {
      expect(await redact(`see\n${dump?.(bytes) ?? ''}`)).not.toMatch(/(?:00 ?5a ?){4}/);
    }
  }
});

const KNOWN = 'Vn7cd@wkBN72raYD19';

async function redactKnown(text: string): Promise<string> {
  const safe = await new Redactor(detectSecrets, [KNOWN]).redact({ text }, 1);
  return getString(safe, 'text') ?? '';
}

it.each([1, 2, 3])('reads a last word of %d bytes of xxd -e', async (length) => {
  const bytes = Buffer.from(`${'of a word '.slice(0, length + 2)}${KNOWN}`);
  const toWord = (word: string): string => (word.match(/../g) ?? []).toReversed().join('');
  const dump = toRows(bytes, (row, at) => {
    const words = toGroups(row, 4).replace(/\w+/g, (word) => toWord(word).padStart(8));
    return `${toPlace(at, 8)}: ${words.padEnd(35)}  ${toAscii(row)}`;
  });
  expect(await redactKnown(`see\n${dump}\nthere`)).toContain('[REDACTED:');
});

it.each(['+', '-', ' '])(
  'reads the places of Wireshark behind the "%s" of a diff',
  async (sign) => {
    const bytes = Buffer.from(`the disk was ${KNOWN} again and again`);
    const dump = (DUMPS['Wireshark']?.(bytes) ?? '').replace(/^/gm, sign);
    expect(await redactKnown(`@@ -1,4 +1,4 @@\n${dump}`)).toContain('[REDACTED:');
  },
);

it('reads the first of the text beside a dump as no byte of it', async () => {
  const dump = DUMPS['Format-Hex']?.(Buffer.from(`ad: used ${KNOWN} again`)) ?? '';
  expect(await redactKnown(`see\n${dump}\nthere`)).toContain('[REDACTED:');
});

it.each(['because', 'added', 'be it', 'ad: x'])(
  'reads no word of the line below bytes as some of them: %s',
  async (word) => {
    const bytes = Buffer.from('mysql -u root -pX6Ykd92#p9ZyskWa shop');
    for (const by of [' ', ':', '-'])
      expect(await redact(`see\n${toBytes(bytes, by)}\n${word}`)).toContain('[REDACTED:');
    const dump = DUMPS['xxd -i']?.(bytes).replace('};', word) ?? '';
    expect(await redact(`see\n${dump}`)).toContain('[REDACTED:');
    expect(await redact(`it should be ${toBytes(bytes)} here`)).toContain('[REDACTED:');
  },
);

it.each(Object.entries(DUMPS))(
  'finds a part of a known secret in %s that is cut off',
  async (_, dump) => {
    const known = new Redactor(detectSecrets, ['wkBN72raYD19xcQ7mV3pLt8z']);
    const whole = dump(Buffer.from('the disk was wkBN72raYD19xcQ7mV'));
    const text = `see\n${whole.replace(/,?\s*[\]}];?$/, '')}\n\n[Showing lines 1-20 of 99]`;
    expect(getString(await known.redact({ text }, 1), 'text')).toContain('[REDACTED:');
  },
);

it.each(['numbers', 'numbers on lines', 'xxd -i'])(
  'finds a part of a known secret in %s of which a debugger leaves the rest out',
  async (way) => {
    const known = new Redactor(detectSecrets, ['wkBN72raYD19xcQ7mV3pLt8z']);
    const whole = DUMPS[way]?.(Buffer.from('the disk was wkBN72raYD19xcQ7mV')) ?? '';
    for (const cut of [',\n  ... 20 more items\n]', ', ... 20 more items ]', ',…']) {
      const text = `see\n${whole.replace(/,?\s*[\]}];?$/, '')}${cut}`;
      expect(getString(await known.redact({ text }, 1), 'text')).toContain('[REDACTED:');
    }
  },
);

it.each(['-', ':'])('reads bytes with %s between them in a result of grep', async (by) => {
  const bytes = toBytes(Buffer.from('AKIAQ4T7PZ2LWX3N5VBD'), by);
  expect(await redact(`a.txt:41:${bytes}`)).toContain('[REDACTED:');
});

it('reads no word beside the bytes of a dump as some of them', async () => {
  const bytes = Buffer.from('adb set-pattern wkBN72raYD19xc');
  expect(await redact(`see\n${DUMPS['xxd']?.(bytes) ?? ''}\nthere`)).toContain('[REDACTED:');
});

it.each(['\n', 'x\n'])(
  'reads a password in words of an odd or even number of bytes',
  async (end) => {
    const bytes = Buffer.from(`DB_PASSWORD=kTuq82xWvb1q${end}`);
    expect(await redact(`see\n${DUMPS['hexdump']?.(bytes) ?? ''}`)).toContain('[REDACTED:');
  },
);

it.each([
  ['the first byte of each letter last, with a mark', '\ufeff', false],
  ['the first byte of each letter first, with a mark', '\ufeff', true],
  ['the first byte of each letter first', '', true],
])(
  'reads UTF-16 in base64, hexadecimal and dumps, as Windows writes it: %s',
  async (_, mark, swap) => {
    const bytes = Buffer.from(`${mark}[a]\r\n"DefaultPassword"="kTuq82xWvb1q"\r\n`, 'utf16le');
    if (swap) bytes.swap16();
    for (const text of [bytes.toString('base64'), bytes.toString('hex'), DUMPS['xxd']?.(bytes)])
      expect(await redact(`see\n${text}\nthere`)).toContain('[REDACTED:');
  },
);

it.each([48, 59, 77, 80, 100, 120, 200])(
  'reads lines of base64 that are %d wide behind a word',
  async (width) => {
    const words = `${'of a word '.repeat(8)}${makeKey('wide')} ${'of a word '.repeat(20)}`;
    const encoded = Buffer.from(words).toString('base64');
    for (const end of ['\n', '\r\n', ' \n']) {
      for (const more of ['', 'b', 'b6', 'b64']) {
        const lines = (encoded.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join(end);
        const safe = await redact(`cat x${more}\n${lines}\n$ `);
        expect(safe.replaceAll(end, '')).not.toContain(encoded.slice(112, 152));
        expect(safe).toContain('[REDACTED:');
      }
    }
  },
);

it.each([',\n            ', ',\n\t\t\t', ',\r\n  ', ', '])(
  'reads bytes as numbers of JSON, whatever stands between them: %j',
  async (between) => {
    const bytes = [...Buffer.from('PORT=1\nDB_PASSWORD=wkBN72raYD19xc\nDEBUG=1\n')];
    for (const list of [bytes, bytes.map((byte) => `0x${byte.toString(16).padStart(2, '0')}`)]) {
      expect(await redact(`{"data": [${list.join(between)}]}`)).toContain('[REDACTED:');
    }
  },
);

it('reads the tabs in bytes as numbers of JSON', async () => {
  const row = '.example.com\tTRUE\t/\tTRUE\t1700000000\tsid\twkBN72raYD19xc\n';
  expect(await redact(JSON.stringify({ data: [...Buffer.from(row)] }))).toContain('[REDACTED:');
});
