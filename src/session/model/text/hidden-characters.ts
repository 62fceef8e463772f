/**
 * Characters that may steer a terminal, or reorder or hide text: controls but tab and line feed, format
 * characters that are not seen, variation selectors, and blanks that look like nothing.
 */
export const HIDDEN =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u070f\u0890\u0891\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]|\u034f|\u17b4|\u17b5|[\u180b-\u180d]|\u180f|[\ufe00-\ufe0f]|\ud82f[\udca0-\udca3]|\ud834[\udd73-\udd7a]|[\udb40-\udb43][\udc00-\udfff]/g;
/** Ranges around them: few, so that it takes a tenth of the time to see that a text has none. */
const MAYBE_HIDDEN =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c-\u200f\u2028-\u206f\u3164]|\u034f|[\ud82f-\ud834]|[\udb40-\udb43]|[\ufe00-\uffff]/;
const EMOJI = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u;
/** Scripts in which a joiner decides how letters are drawn. */
const JOINING =
  /^[\p{sc=Arab}\p{sc=Syrc}\p{sc=Mong}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}]$/u;
/** Characters that a variation selector changes: emoji, keys such as `1`, and characters beyond ASCII. */
const VARIABLE = /^[#*0-9\p{Extended_Pictographic}\p{Letter}\p{Symbol}]$/u;

/** Returns whether a text may hold such a character; false is certain. */
export function mayHide(text: string): boolean {
  return MAYBE_HIDDEN.test(text);
}

/**
 * Replaces every character that a reader cannot see but line feeds and tabs, and but joiners and selectors that
 * make one sign of several: in emoji, and in scripts that need them.
 */
export function replaceHidden(
  text: string,
  toText: (char: string, at: number) => string = () => '\ufffd',
): string {
  if (!mayHide(text)) return text;
  return replaceEach(text, HIDDEN, (char, at) =>
    isNeeded(char, at, text) ? char : toText(char, at),
  );
}

function isNeeded(char: string, at: number, text: string): boolean {
  if (char < '\u180b') return false;
  const isJoiner = char === '\u200d';
  if (!isJoiner && char !== '\u200c') {
    const before = charBefore(text, at);
    return (
      /^\p{Variation_Selector}$/u.test(char) && VARIABLE.test(before) && !/[a-z]/i.test(before)
    );
  }
  const [before, after] = [charBefore(text, at), charAfter(text, at)];
  const isEmoji = isJoiner && EMOJI.test(before) && /^\p{Extended_Pictographic}$/u.test(after);
  return isEmoji || (JOINING.test(before) && JOINING.test(after));
}

function charBefore(text: string, at: number): string {
  const isPair = isHalf(text.charCodeAt(at - 1), 0xdc00) && isHalf(text.charCodeAt(at - 2), 0xd800);
  return text.slice(Math.max(at - (isPair ? 2 : 1), 0), at);
}

function charAfter(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at + 1) ?? 0);
}

function isHalf(unit: number, of: number): boolean {
  return unit >= of && unit < of + 0x400;
}

/** A longer text is changed piece by piece: V8 ends the process at some 60 million matches. */
const PIECE = 1_000_000;

/**
 * Replaces each match of a pattern that matches single characters.
 * @throws RangeError when the result is longer than any string.
 */
export function replaceEach(
  text: string,
  pattern: RegExp,
  by: string | ((char: string, at: number) => string),
): string {
  const replace = (piece: string, from: number): string =>
    typeof by === 'string'
      ? piece.replace(pattern, by)
      : piece.replace(pattern, (char, at: number) => by(char, from + at));
  if (text.length <= PIECE) return replace(text, 0);
  const pieces: string[] = [];
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = Math.min(start + PIECE, text.length);
    // A pair is not cut between its halves.
    if (isHalf(text.charCodeAt(end - 1), 0xd800) && end < text.length) end += 1;
    pieces.push(replace(text.slice(start, end), start));
  }
  return pieces.join('');
}
