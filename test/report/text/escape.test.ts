import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isolate, toPlainLine, toPlainText } from '../../../src/report/text/escape.ts';
import { anyCharacter } from '../../harness/any-character.ts';

// But for joiners, which are kept where they are needed, and signs that are seen.
const STEERING =
  /(?!\u200c|\u200d|[\u0600-\u0605\u06dd\u08e2\u{110bd}\u{110cd}\u{13430}-\u{1343f}])[\p{Control}\p{Format}\p{Surrogate}\p{Line_Separator}\p{Paragraph_Separator}]/u;
const anything = fc.string({ unit: anyCharacter, maxLength: 40 });
const STEERS =
  '\u001b[2J|\u001b]0;title\u0007|\u009b31m|\r|\b|\u007f|\u0000|\ufeff|\u202e|\u2066|\u200f|\u061c|\u00ad|' +
  '\u200b|\u2028|\ufff9|\ud800|\u{e0041}|\u3164|\u115f|\udfff|\u180e|\u2060|\ufe0f';
const steering = fc.constantFrom(...STEERS.split('|'));

describe('a line of text from a session', () => {
  it('holds nothing that a terminal would obey, and nothing that reorders or hides text', () => {
    const texts = fc.array(fc.oneof(anything, steering)).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        expect(toPlainLine(text)).not.toMatch(STEERING);
        expect(toPlainText(text).replaceAll(/[\n\t]/g, '')).not.toMatch(STEERING);
      }),
    );
  });

  it('is cut between characters', () => {
    expect(toPlainLine(`${'x'.repeat(8)}🚀🚀`, 10)).toBe(`${'x'.repeat(8)}…`);
    expect(toPlainLine('x'.repeat(10), 10)).toBe('x'.repeat(10));
  });

  it('keeps every other text as it is', () => {
    const texts = [
      'naïve café',
      '日本語',
      'नमस्ते',
      'שלום',
      'e\u0301',
      '🚀👍🏽🇩🇪',
      '👩‍👩‍👧‍👦 ❤️',
      'می\u200cخواهم',
      'a\tb',
    ];
    expect(texts.map((text) => toPlainLine(text))).toEqual([...texts.slice(0, -1), 'a b']);
  });
});

describe('text that is written from the right', () => {
  it.each(['שלום', 'مرحبا', 'a ހ', '\u{10d00}'])('is set apart: %s', (text) => {
    expect(isolate(text)).toBe(`\u2068${text}\u2069`);
  });

  it.each(['', 'plain', '日本語', 'Ελληνικά'])('and no other: %s', (text) => {
    expect(isolate(text)).toBe(text);
  });
});
