import fs, { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { readLinesSync } from '../../../../src/session/jsonl/read/read-lines-sync.ts';
import { readLines } from '../../../../src/session/jsonl/read/read-lines.ts';
import { openText } from '../../../../src/session/jsonl/read/text-source.ts';
import { openSpans } from '../../../../src/session/jsonl/read/spans/read-spans.ts';
import { appendLines } from '../../../../src/session/jsonl/write/append-file.ts';
import { composeFile } from '../../../../src/session/jsonl/write/compose-file.ts';
import { moveFile } from '../../../../src/session/jsonl/write/move-file.ts';
import { replaceFile } from '../../../../src/session/jsonl/write/replace-file.ts';
import { transformFile } from '../../../../src/session/jsonl/write/transform-file.ts';
import { UnpackError, Unpacker } from '../../../../src/session/jsonl/zstd/unpacker.ts';
import { giveBackZstd, takeZstd, type Zstd } from '../../../../src/session/jsonl/zstd/zstd.ts';
import { runs } from '../../../harness/runs.ts';
import { makeTempDir } from '../../../temp-dir.ts';
import { makeFrame, makeSkippable, repeatByte, toZstd } from '../../../zstd-frames.ts';

/** `zstd -19` of 300 lines `{"line":<n>}`, with a checksum at its end. */
const REAL = Buffer.from(
  'KLUv/WTODY0NACbyWhWgFxRaDA7tElTV73d3d+9E5mqcGgFhAE4ATgDe2dXRzcnFfV64M7MysjGxsE0LdmVVRTUlFX' +
    'VZoY6MioiGhIImKdCNTQ3NjEzM44Q5MSkhGREJWZQgFxYVFBMSEYcR4rZrepbj9/BpluQohqvBs6KRWMFAADAIQEDA' +
    'gEGBEjmkkEFOSgbyRhtrpHFGGWN8dAzjiSaWSOKIIoa4qBjECy2skMIJJYzw0DCEt7a1tLOysa8b9tS0lHRUNHRVg1' +
    '7QghWk4AQlGMGDBkMIR3xsHOJ7+3r6efn43w9/bl5OPi4evuvBL2zhClN4whKO8GHDIXynnXXSOaeccX56hvNMM8sk' +
    'c0wxw9zUDOaVVlZJ5ZRSRnlpGcojjSwKgoG77a6b7rnljvvbO9xnm1022WOLHfa2drCvtrpqqqeWOupr61AfbXTRRA' +
    '8tdNDT0oG+2eaaaZ5Z5pifncN8ssklkzyyyCEvKwf5YosrpnhiiYErqBEwUH7P8SsHEZwQ8Af5////////////////' +
    '//////+7UCCEIYSQhBCEEEII4RBCCCFEIQTUYwAAAAAAxwQYUKu2Tor1',
  'base64',
);
const REAL_TEXT = Array.from({ length: 300 }, (_, at) => `{"line":${at}}\n`).join('');

async function write(name: string, bytes: Buffer): Promise<string> {
  const path = join(await makeTempDir(), name);
  writeFileSync(path, bytes);
  return path;
}

async function readText(path: string): Promise<string> {
  const seen: string[] = [];
  await readLines(path, ({ bytes, offset, terminated }) => {
    expect(offset).toBe(Buffer.byteLength(seen.join('')));
    seen.push(bytes.toString() + (terminated ? '\n' : ''));
  });
  return seen.join('');
}

describe('a compressed file', () => {
  it('is closed if there is no memory to unpack it', async () => {
    const path = await write('real.jsonl.zst', REAL);
    const refuse = vi.spyOn(WebAssembly, 'Instance').mockImplementation(function refuse() {
      throw new RangeError('no memory');
    });
    const taken: Zstd[] = [];
    const takeAll = async (): Promise<never> => {
      for (;;) taken.push(await takeZstd());
    };
    await expect(takeAll()).rejects.toThrow('no memory');
    const close = vi.spyOn(fs, 'closeSync');
    syncBuiltinESMExports();
    await expect(openText(path)).rejects.toThrow('no memory');
    expect(close).toHaveBeenCalledTimes(1);
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    expect(refuse).toHaveBeenCalledTimes(2);
    for (const one of taken) giveBackZstd(one);
  });

  it('has the lines of its text, at their places in the text', async () => {
    const path = await write('real.jsonl.zst', REAL);
    expect(await readText(path)).toBe(REAL_TEXT);
    const stamp = await readLines(path, () => undefined);
    expect(stamp.size).toBe(REAL.length);
  });

  it('may be several frames, with others between that say nothing', async () => {
    const note = makeSkippable(Buffer.from('made by hand'));
    const bytes = Buffer.concat([note, toZstd('one\ntw'), note, toZstd(''), toZstd('o\n'), note]);
    expect(await readText(await write('frames.jsonl.zst', bytes))).toBe('one\ntwo\n');
  });

  it('is empty where there are no bytes', async () => {
    expect(await readText(await write('empty.jsonl.zst', Buffer.alloc(0)))).toBe('');
  });

  it('gives back any text, in any frames', async () => {
    const line = fc.string({ maxLength: 20 }).map((text) => `${text.replaceAll('\n', '')}\n`);
    const long = fc.integer({ min: 1, max: 400_000 }).map((size) => `${'x'.repeat(size)}\n`);
    const text = fc.array(fc.oneof({ weight: 8, arbitrary: line }, long), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 3 }), async (texts) => {
        const frames = texts.map((lines) => toZstd(Buffer.from(lines.join(''))));
        const path = await write('any.jsonl.zst', Buffer.concat(frames));
        expect(await readText(path)).toBe(Buffer.from(texts.flat().join('')).toString());
      }),
      { numRuns: runs(8) },
    );
  });

  it('gives spans of its text in any order', async () => {
    const text = Array.from({ length: 200 }, (_, at) => `${at}:${'y'.repeat(at * 20)}`).join('\n');
    const spans = openSpans(await write('spans.jsonl.zst', toZstd(text)));
    for (const [offset, length] of [
      [0, 2],
      [5, 300_000],
      [100, 10],
      [390_000, 8],
      [text.length - 3, 3],
    ] as const) {
      const found = await spans.read({ offset, length }, (bytes) => bytes.toString());
      expect(found).toBe(text.slice(offset, offset + length));
    }
    const past = spans.read({ offset: text.length - 1, length: 2 }, () => undefined);
    await expect(past).rejects.toThrow('was cut short while it was read');
    spans.close();
  });

  it.each([
    [
      'is not zstd at all',
      Buffer.from('{"type":"session"}\n'),
      'the bytes there are not Zstandard',
    ],
    [
      'has something behind its end',
      Buffer.concat([REAL, Buffer.from('more')]),
      'are not Zstandard',
    ],
    ['ends early', REAL.subarray(0, -40), 'it ends in the middle'],
    ['ends before its checksum', REAL.subarray(0, -1), 'it ends in the middle'],
    ['has only the beginning of a frame', REAL.subarray(0, 3), 'it ends in the middle'],
    ['has another byte in its checksum', flip(REAL, REAL.length - 1), 'differs from its checksum'],
    ['has another byte in its middle', flip(REAL, 60), 'cannot decompress: '],
    ['needs 2 GB to unpack', makeFrame([repeatByte(1, true)], 31), 'it needs more memory'],
  ])('%s: that is a problem', async (_, bytes, message) => {
    const reading = readText(await write('broken.jsonl.zst', bytes));
    await expect(reading).rejects.toThrow(message);
    await expect(reading).rejects.toHaveProperty('name', 'FileError');
  });

  it('is measured to the end of a long line, and read on from where it was', async () => {
    const lines = ['one', 'x'.repeat(700_000), 'y'.repeat(600_000), 'torn'];
    const path = await write('long.jsonl.zst', toZstd(lines.join('\n')));
    const source = await openText(path);
    const seen: Buffer[] = [];
    const readTo = (end: number): void => {
      const piece = Buffer.alloc(100_000);
      for (let at = Buffer.concat(seen).length; at < end;) {
        const count = source.read(piece, 0);
        if (count === 0) return;
        seen.push(Buffer.from(piece.subarray(0, count)));
        at += count;
      }
    };
    const measureFrom = (end: number, most: number): number => {
      readTo(end);
      return Buffer.concat(seen).length + source.measure(most);
    };
    expect(measureFrom(300_000, 1e9)).toBe(700_004);
    expect(measureFrom(1_000_000, 1000)).toBeGreaterThan(1_001_000);
    readTo(Infinity);
    expect(source.measure(1e9)).toBe(0);
    source.close();
    expect(Buffer.concat(seen).toString()).toBe(lines.join('\n'));
  });

  it('is a bomb when it becomes many times as long, and long', async () => {
    const bomb = makeFrame([
      ...Array<Buffer>(20).fill(repeatByte(0x61, false)),
      repeatByte(1, true),
    ]);
    const limits = { bytes: 1_000_000, ratio: 1000, lines: Infinity };
    const unpacker = new Unpacker(await takeZstd(), limits);
    const into = Buffer.alloc(4096);
    let at = 0;
    const readPacked = (packed: Buffer): number => {
      const count = bomb.copy(packed, 0, at);
      at += count;
      return count;
    };
    const readAll = (): void => {
      while (unpacker.read(into, readPacked) > 0);
    };
    expect(readAll).toThrow(new UnpackError('its text is more than 1000 times as long'));
    unpacker.close();
  });

  it('is a bomb when it becomes many more lines than bytes', async () => {
    const lines = [...Array<Buffer>(5).fill(repeatByte(0x0a, false)), repeatByte(1, true)];
    const path = await write('lines.jsonl.zst', makeFrame(lines));
    const reading = readLines(path, () => undefined);
    await expect(reading).rejects.toThrow('its text has more lines than it has bytes');
  });

  it('is not taken for its text, or written to, by anything else', async () => {
    const path = await write('kept.jsonl.zst', REAL);
    const refused = 'is compressed; decompress it first';
    const stamp = await readLines(path, () => undefined);
    const options = { planned: stamp };
    const transformed = transformFile(path, () => undefined, options);
    await expect(transformed.next()).rejects.toThrow(refused);
    await expect(replaceFile(path, () => undefined, options)).rejects.toThrow(refused);
    await expect(appendLines(path, [Buffer.from('x\n')], options)).rejects.toThrow(refused);
    await expect(moveFile(path, `${path}.moved/x.jsonl`)).rejects.toThrow(refused);
    expect(() => [...composeFile({ path, stamp }, [])]).toThrow(refused);
    expect(() => readLinesSync(path, () => undefined)).toThrow(refused);
    expect(await readText(path)).toBe(REAL_TEXT);
  });
});

/** The same bytes, one of them changed. */
function flip(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt8(changed.readUInt8(at) ^ 0x55, at);
  return changed;
}
