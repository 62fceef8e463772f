import { describe, expect, it } from 'vitest';
import { mergePlans } from '../../../../src/session/jsonl/scanner/plan.ts';

describe('plans are merged', () => {
  it.each([
    ['members of all', [{ a: 'whole' }, { b: 'start' }], { a: 'whole', b: 'start' }],
    ['a whole value before a part of it', [{ a: { b: 'whole' } }, { a: 'whole' }], { a: 'whole' }],
    ['a whole text before its start', [{ a: 'start' }, { a: 'whole' }], { a: 'whole' }],
    [
      'what is not base64 before the start, and after the whole',
      [
        { a: 'start', b: 'base64' },
        { a: 'base64', b: 'whole' },
      ],
      { a: 'base64', b: 'whole' },
    ],
    [
      'base64 with members',
      [{ a: { b: 'base64' } }, { a: ['base64', { b: 'start' }] }],
      { a: ['base64', { b: 'base64' }] },
    ],
    [
      'a start with members',
      [{ a: 'start' }, { a: { b: 'whole' } }],
      { a: ['start', { b: 'whole' }] },
    ],
    [
      'members of members, and texts in their place',
      [{ a: { b: 'start' } }, { a: ['whole', { b: 'whole', c: {} }] }],
      { a: ['whole', { b: 'whole', c: {} }] },
    ],
  ] as const)('%s', (_what, plans, merged) => {
    expect(mergePlans(plans)).toEqual(merged);
  });
});
