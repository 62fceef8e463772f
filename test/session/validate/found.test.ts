import { describe, expect, it } from 'vitest';
import { Found, shorten } from '../../../src/session/validate/found.ts';
import type { Finding } from '../../../src/session/dialect/rule.ts';

function createFinding(line: number, over: Partial<Finding> = {}): Finding {
  return {
    path: '/x.jsonl',
    line,
    byteOffset: line * 10,
    rule: 'line-malformed',
    level: 'error',
    message: 'line is not JSON',
    fixable: false,
    ...over,
  };
}

describe('the findings of a file', () => {
  it('keep the first of a rule, and count the others in one that stands for them', () => {
    const found = new Found(2);
    const all = [4, 1, 2, 3, 9].map((line) => createFinding(line));
    for (const finding of all) found.add(finding);
    found.add(createFinding(5, { rule: 'line-nul' }));
    expect(found.total).toBe(6);
    expect(found.inLineOrder().map(({ line, count }) => [line, count])).toEqual([
      [1, undefined],
      [2, 3],
      [4, undefined],
      [5, undefined],
    ]);
    expect(found.inLineOrder()[1]?.message).toBe('and 3 more of this kind, up to line 9');
  });

  it('count those apart that can be repaired', () => {
    const found = new Found(0);
    for (const fixable of [true, false, true, false, true]) {
      found.add(createFinding(1, { fixable }));
    }
    expect(found.inLineOrder().map(({ fixable, count }) => [fixable, count])).toEqual([
      [true, 3],
      [false, 2],
    ]);
  });

  it('show one that is left over as it is', () => {
    const [last] = shorten(Array.from({ length: 1001 }, (_, at) => createFinding(at))).slice(-1);
    expect(last).toEqual(createFinding(1000));
  });
});
