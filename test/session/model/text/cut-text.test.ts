import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutText, MIN_CUT_BYTES } from '../../../../src/session/model/text/cut-text.ts';

const long = fc.string({ unit: 'grapheme', minLength: 150, maxLength: 2000 });

describe('cutText', () => {
  it('fits, keeps the beginning and the end, and changes nothing the second time', () => {
    fc.assert(
      fc.property(long, fc.integer({ min: MIN_CUT_BYTES, max: 1500 }), (text, maxBytes) => {
        const cut = cutText(text, maxBytes);
        if (cut === undefined) return Buffer.byteLength(text) <= maxBytes;
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(maxBytes);
        expect(cutText(cut, maxBytes)).toBeUndefined();
        const [head = '', tail = ''] = cut.split(/\n\n\[\.\.\. \d+ bytes of output cut by coppice/);
        expect(text.startsWith(head)).toBe(true);
        expect(text.endsWith(tail.replace(/^ \.\.\.\]\n\n/, ''))).toBe(true);
        return !/\p{Surrogate}/u.test(cut);
      }),
    );
  });

  it('says how much is left out', () => {
    expect(cutText('a'.repeat(10_000), 1000)).toMatch(/\n\[\.\.\. 9\d{3} bytes of output cut by/);
  });
});
