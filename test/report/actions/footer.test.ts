import { expect, it } from 'vitest';
import { formatActionFooter } from '../../../src/report/actions/footer.ts';

it.each([
  [0, 'Would reduce 1 of 3 sessions. Nothing was changed.\n'],
  [1, 'Would reduce 1 of 3 sessions. 1 has nothing to reduce. Nothing was changed.\n'],
  [2, 'Would reduce 1 of 3 sessions. 2 have nothing to reduce. Nothing was changed.\n'],
])('says of %d sessions what is true of them', (unchanged, expected) => {
  const actions = { reduce: 1, unchanged };
  const summary = { applied: false, sessions: 3, actions, bytesReclaimed: 0 };
  const same = { one: 'has nothing to reduce', many: 'have nothing to reduce' };
  const words = { verb: 'reduce', past: 'Reduced', how: 'add --apply', unchanged: same };
  expect(formatActionFooter(summary, { changes: 1 }, words)).toBe(
    `${expected}To apply: add --apply.\n`,
  );
});

it.each([
  [
    false,
    'Would remove 1 of 3 sessions. 2 would be made whole. Nothing was changed.\nTo apply: x.\n',
  ],
  [true, 'Removed 1 of 3 sessions. 2 made whole.\n'],
])('counts a further change apart, applied: %s', (applied, expected) => {
  const summary = { applied, sessions: 3, actions: { remove: 1, flatten: 2 }, bytesReclaimed: 0 };
  const also = { action: 'flatten', preview: 'would be made whole', done: 'made whole' } as const;
  const words = { verb: 'remove', past: 'Removed', how: 'x', also };
  expect(formatActionFooter(summary, { changes: 3 }, words)).toBe(expected);
});

it('a footer counts what a stopped run did not reach, and not as skipped', () => {
  const summary = {
    applied: true,
    sessions: 9,
    actions: { remove: 2, skip: 7 },
    bytesReclaimed: 0,
  };
  const words = { verb: 'remove', past: 'Removed', how: 'add --apply' };
  const format = (stopped: number) => formatActionFooter(summary, { changes: 2, stopped }, words);
  expect(format(0)).toBe('Removed 2 of 9 sessions. 7 skipped.\n');
  expect(format(5)).toBe('Removed 2 of 9 sessions. 2 skipped. Stopped: 5 not reached.\n');
  expect(format(7)).toBe('Removed 2 of 9 sessions. Stopped: 7 not reached.\n');
});
