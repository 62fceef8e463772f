import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../harness/runs.ts';
import { IdSet } from '../../../../../src/session/agents/pi/index/entry-ids.ts';

const short = fc.nat(5000).map((n) => Math.imul(n, 0x9e37_79b1) >>> 0);
const id = fc.oneof(
  short.map((n) => n.toString(16).padStart(8, '0')),
  fc.constantFrom('', 'a', '0000000A', '000000000', '__proto__', '00000000', 'ffffffff'),
  fc.constantFrom(
    '0000000g',
    '0000000`',
    '0000000/',
    '0000000:',
    '0000000\u0130',
    '0000009',
    '00000009',
  ),
);

describe('a set of ids', () => {
  it('knows what was added before, of few ids and of thousands', () => {
    const property = fc.property(fc.array(id, { size: 'max', maxLength: 4000 }), (ids) => {
      const [set, expected] = [new IdSet(), new Set<string>()];
      for (const one of ids) {
        expect(set.add(one)).toBe(!expected.has(one));
        expected.add(one);
      }
    });
    fc.assert(property, { numRuns: runs(5) });
  });
});
