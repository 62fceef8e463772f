import { expect, it } from 'vitest';
import { countLeading } from '../../../src/session/model/count-leading.ts';

it('counts the items before the first that fails, for every place of that one', () => {
  for (let length = 0; length <= 9; length += 1) {
    const items = Array.from({ length }, (_, at) => at);
    for (let end = 0; end <= length; end += 1) {
      expect(countLeading(items, (item) => item < end)).toBe(end);
    }
  }
});
