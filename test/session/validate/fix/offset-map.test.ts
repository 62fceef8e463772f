import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OffsetMap } from '../../../../src/session/validate/fix/offset-map.ts';

describe('OffsetMap', () => {
  it('gives back where lines were before others were taken out and put in', () => {
    const lengths = fc.array(fc.record({ gap: fc.nat(5), length: fc.integer({ min: 1, max: 9 }) }));
    fc.assert(
      fc.property(lengths, (lines) => {
        const map = new OffsetMap();
        const pairs: [after: number, before: number][] = [];
        let [after, before] = [0, 0];
        for (const { gap, length } of lines) {
          before += gap;
          pairs.push([after, before]);
          map.add(after, before);
          after += length;
          before += length;
        }
        for (const [to, from] of pairs) expect(map.toBefore(to)).toBe(from);
      }),
    );
  });
});
