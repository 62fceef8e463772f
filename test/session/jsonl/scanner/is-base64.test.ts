import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBase64 } from '../../../../src/session/jsonl/scanner/is-base64.ts';
import { INPUT_BYTES } from '../../../../src/session/jsonl/scanner/layout.ts';
import { anyCharacter } from '../../../harness/any-character.ts';
import { runs } from '../../../harness/runs.ts';

const sign = fc.constantFrom('A', 'B', 'Y', 'Z', 'a', 'b', 'y', 'z', '0', '1', '8', '9', '+', '/');
/** Texts of up to twice as many signs, with something else between them. */
const textsOf = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.string({ unit: sign, maxLength }),
      fc.oneof(fc.constantFrom('', '=', '==', '-', '_'), anyCharacter),
      fc.string({ unit: sign, maxLength }),
    )
    .map((parts) => parts.join(''));

describe('isBase64', () => {
  // The program of the scanner looks at longer texts only.
  it.each([8, 70])('knows each sign of base64, and no other, in texts of twice %d', (length) => {
    fc.assert(
      fc.property(textsOf(length), (text) => {
        expect(isBase64(Buffer.from(text))).toBe(/^[A-Za-z0-9+/]*$/.test(text));
      }),
      { numRuns: runs(300) },
    );
  });

  it('knows them in more bytes than the window holds', () => {
    const bytes = Buffer.alloc(INPUT_BYTES + 1, 'A');
    expect(isBase64(bytes)).toBe(true);
    bytes[INPUT_BYTES / 2] = 0x2d;
    expect(isBase64(bytes)).toBe(false);
  });
});
