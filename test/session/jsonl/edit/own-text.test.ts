import { describe, expect, it } from 'vitest';
import { findOwnText } from '../../../../src/session/jsonl/edit/members.ts';

describe('findOwnText', () => {
  it.each([
    ['{"a":1,"id":"x","b":[]}', 'x'],
    [' { "a" : {"id":"other"} , "id" : "x" }', 'x'],
    ['{"a":[{"id":"other"},"id"],"id":"x","b":"cut', 'x'],
    ['{"a":"\\"id\\":\\"other\\"","id":"x"}', 'x'],
    ['{"a":{"id":"other"}}', undefined],
    ['{"a":{"id":"other","b":"cut', undefined],
    ['{"id":"cut', undefined],
    ['{"id":"\\u0078"}', undefined],
    ['{"id":7}', undefined],
    ['{"id":', undefined],
    ['{"a":1}{"id":"x"}', undefined],
    ['{', undefined],
    ['', undefined],
    ['no JSON "id":"x"', undefined],
  ])('finds the text of a member in %s', (line, text) => {
    expect(findOwnText(Buffer.from(line), 'id')).toBe(text);
  });
});
