import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { isBase64 } from '../../../../src/session/jsonl/scanner/is-base64.ts';
import { INPUT_BYTES } from '../../../../src/session/jsonl/scanner/layout.ts';
import * as scanner from '../../../../src/session/jsonl/scanner/reduced-lines.ts';
import { anyCharacter } from '../../../harness/any-character.ts';
import { runs } from '../../../harness/runs.ts';

const sign = fc.constantFrom('A', 'B', 'Y', 'Z', 'a', 'b', 'y', 'z', '0', '1', '8', '9', '+', '/');
const texts = fc
  .tuple(
    fc.string({ unit: sign, maxLength: 70 }),
    fc.oneof(fc.constantFrom('', '=', '==', '-', '_'), anyCharacter),
    fc.string({ unit: sign, maxLength: 70 }),
  )
  .map((parts) => parts.join(''));

function checkTexts(): void {
  fc.assert(
    fc.property(texts, (text) => {
      expect(isBase64(Buffer.from(text))).toBe(/^[A-Za-z0-9+/]*$/.test(text));
    }),
    { numRuns: runs(300) },
  );
}

describe('isBase64', () => {
  it('knows each sign of base64, and no other', checkTexts);

  it('knows them where the program of the scanner is missing', () => {
    const asked = vi.spyOn(scanner, 'isBase64InMemory').mockReturnValue(undefined);
    checkTexts();
    expect(asked).toHaveBeenCalled();
    asked.mockRestore();
  });

  it('knows them in more bytes than the window holds', () => {
    const bytes = Buffer.alloc(INPUT_BYTES + 1, 'A');
    expect(isBase64(bytes)).toBe(true);
    bytes[INPUT_BYTES / 2] = 0x2d;
    expect(isBase64(bytes)).toBe(false);
  });
});
