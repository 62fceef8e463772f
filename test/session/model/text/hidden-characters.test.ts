import { sized } from '../../../harness/runs.ts';
import { describe, expect, it } from 'vitest';
import {
  replaceEach,
  replaceHidden,
} from '../../../../src/session/model/text/hidden-characters.ts';

/** By the properties of Unicode, which take longer. */
const HIDDEN =
  /^[\p{Control}\p{Format}\p{Line_Separator}\p{Paragraph_Separator}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}]$/u;
/** Tab, line feed, and signs around numbers and hieroglyphs, which are seen. */
const SEEN = /^[\t\n\u0600-\u0605\u06dd\u08e2\u{110bd}\u{110cd}\u{13430}-\u{1343f}]$/u;

describe('characters that nobody could see', () => {
  it('are replaced, each of all that there are, and no other', () => {
    const chars = Array.from({ length: 0x110000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      // Between the planes that are in use, and those for private use, there is nothing.
      .filter((code) => code < sized(0x20000, 0x110000) || (code >= 0xe0000 && code < 0xe2000))
      .map((code) => String.fromCodePoint(code));
    const found: string[] = [];
    replaceHidden(chars.join('a'), (char) => {
      found.push(char);
      return '';
    });
    expect(found).toEqual(chars.filter((char) => HIDDEN.test(char) && !SEEN.test(char)));
  });

  it.each(['👩‍👩‍👧‍👦', '❤️', '1️⃣', '👍🏽', '🏳️‍🌈', 'می\u200cخواهم', 'क\u094d\u200dष', '葛\u{e0100}'])(
    'are kept where they make one sign of several: %s',
    (text) => expect(replaceHidden(text)).toBe(text),
  );

  it.each(['a\u200db', '👍\u200d', '\u200d👍', 'a\ufe0f', 'x\u{e0100}\u{e0101}', '👍\ufe0f\ufe0f'])(
    'are not kept where they could hide something: %j',
    (text) => expect(replaceHidden(text)).toContain('\ufffd'),
  );
});

describe('a long text', () => {
  it('is changed in pieces, and as if it were one', () => {
    const text = `${'a'.repeat(999_999)}👩\u200d👩${'\u200b'.repeat(9)}`;
    const expected = `${'a'.repeat(999_999)}👩\u200d👩${'\ufffd'.repeat(9)}`;
    expect(replaceHidden(text) === expected).toBe(true);
    const places: number[] = [];
    replaceEach(`${'a'.repeat(1_999_999)}bab`, /b/g, (char, at) => (places.push(at), char));
    expect(places).toEqual([1_999_999, 2_000_001]);
  });
});
