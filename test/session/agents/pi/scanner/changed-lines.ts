import fc from 'fast-check';
import { anyCharacter } from '../../../../harness/any-character.ts';

/** Texts that mean something to JSON or to tables of keys. */
export const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    '',
    'a"b\\c\n\t\u001b\u007f',
    '\u00e9\u20ac\ud83d\ude00',
    'x'.repeat(300),
    '__proto__',
    'type',
  ),
);
/** Bytes that mean something to JSON, to UTF-8 or to lines. */
const turnSource = fc.oneof(
  fc.constantFrom(...Buffer.from('"\\{}[]:,-+.eE0129tfnu/ \t\r\n\0\u001f')),
  fc.constantFrom(0x80, 0xbf, 0xc0, 0xc3, 0xe0, 0xed, 0xf0, 0xf4, 0xf5, 0xff),
  fc.nat(255),
);
/** A place in a line, as a share; how many bytes are taken out there, and what is put in. */
export const change = fc.tuple(fc.nat(999), fc.nat(2), fc.array(turnSource, { maxLength: 3 }));

export function damage(line: string, [share, count, bytes]: [number, number, number[]]): Buffer {
  const whole = Buffer.from(line);
  const at = Math.floor((whole.length * share) / 1000);
  return Buffer.concat([whole.subarray(0, at), Buffer.from(bytes), whole.subarray(at + count)]);
}
