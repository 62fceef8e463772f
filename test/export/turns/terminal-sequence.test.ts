import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { toReadable } from '../../../src/export/turns/readable.ts';

it.each([
  '\u001b[31mred\u001b[0m',
  '\u001b[38;5;196mred\u001b[m and \u009b1mbold',
  '\u001b]0;title\u0007text',
  '\u001b]8;;https://example.com\u001b\\link\u001b]8;;\u001b\\',
  'a\u001b[2Kb\u001b[1;2Hc',
  'plain text',
])('takes out what a terminal obeys: %j', (text) => {
  expect(toReadable(text)).toBe(stripVTControlCharacters(text));
});

it.each([
  ['user\u001b[4Cage\u009b2C7', 'user    age  7'],
  ['a\u001b[Cb\u001b[0Cc\u001b[9999Cd', 'a b cd'],
  ['a\u001b[4Db', 'ab'],
])('leaves the gap of a move to the right: %j', (text, readable) => {
  expect(toReadable(text)).toBe(readable);
});

it('ends on sequences that never do', () => {
  // Node's own function takes minutes for this.
  expect(toReadable(`\u001b${';#'.repeat(100_000)}`)).toContain(';#');
});
