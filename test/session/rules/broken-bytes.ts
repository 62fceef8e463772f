import fc from 'fast-check';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';
import { buildOldSession, buildSession, toText } from './healthy-session.ts';

function toPieces(records: readonly JsonObject[]): fc.Arbitrary<Buffer> {
  const lines = records.map((record) => Buffer.from(JSON.stringify(record)));
  const whole = fc.constantFrom(...lines);
  const torn = fc.tuple(whole, fc.nat(), fc.nat()).map(([line, from, length]) => {
    const start = from % 3 === 0 ? 0 : from % line.length;
    return line.subarray(start, start + (length % line.length));
  });
  const noise = fc.oneof(
    fc
      .constantFrom(
        '\n',
        '\n\n',
        '\r\n',
        ' ',
        '\0',
        '\0\0\0',
        '\ufeff',
        '\ufeff\ufeff',
        '{}',
        '5',
        'null',
        '[',
        '}',
        '"',
        '\\',
      )
      .map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
  );
  const line = whole.map((bytes) => Buffer.concat([bytes, Buffer.from('\n')]));
  return fc.oneof(
    { weight: 5, arbitrary: line },
    { weight: 2, arbitrary: whole },
    { weight: 2, arbitrary: torn },
    { weight: 4, arbitrary: noise },
  );
}

function toFile(records: readonly JsonObject[]): fc.Arbitrary<Buffer> {
  const lines = toText(records.slice(0, 6));
  const start = fc.constantFrom('', lines, `\ufeff${lines}`).map((text) => Buffer.from(text));
  const pieces = fc.array(toPieces(records), { maxLength: 14 });
  return fc.tuple(start, pieces).map(([first, rest]) => Buffer.concat([first, ...rest]));
}

/** Files that were sessions once: whole lines, torn ones, NUL bytes and noise in any order. */
export const brokenSession = fc.oneof(toFile(buildSession()), toFile(buildOldSession()));
