import type { Range } from '../text/view.ts';
import { looksRandom } from './random-words.ts';

/** Signs before a value in a word, and a name with its sign. */
const BEFORE_VALUE = /^[^\w!#$%^&*~?@+=-]*(?:[\w.@-]{1,100}[=:](?=.{8}))?/;
/** The checksum of a module of Go, or of a public key, as SSH shows it. */
const CHECKSUM = /(?:^|[^\w])(?:h1|SHA256):$/;
const AFTER_VALUE = /[.,;:!?]{1,3}$/;
/** Another parameter of an address or a form follows. */
const PARAMETER = /[?&](?=[A-Za-z_][\w.-]{0,60}=)/;
/** The sign between the cells of a row, behind an address of mail. */
const AFTER_MAIL = /@[\w-]{1,60}\.[\w.-]{1,60}(?<sign>[,;])/;
const SIGNS_OF_CELLS = [',', ';'];

/**
 * Finds what looks random in a word. If it is made of parameters or of the cells of a row, only those that look random
 * by themselves, unless none does. `signBefore`: the sign before the word, which may be that between cells.
 */
export function findRandomPieces(word: string, signBefore = ''): readonly Range[] {
  const pieces = cutUp(word, signBefore);
  const found = pieces.length > 1 ? pieces.flatMap(findValue) : [];
  return found.length > 0 ? found : [{ start: 0, end: word.length }];
}

/** Finds the value that looks random in a word, without a name before it and the end of a sentence. */
export function findRandomValue(word: string, isQuoted: boolean): Range | undefined {
  const [before = ''] = BEFORE_VALUE.exec(word) ?? [];
  const value = word.slice(before.length).replace(isQuoted ? /$/ : AFTER_VALUE, '');
  if (CHECKSUM.test(before) || !looksRandom(value)) return undefined;
  return { start: before.length, end: before.length + value.length };
}

interface Piece {
  readonly text: string;
  readonly at: number;
}

function findValue({ text, at }: Piece): readonly Range[] {
  const value = findRandomValue(text, false);
  return value ? [{ start: at + value.start, end: at + value.end }] : [];
}

function cutUp(word: string, signBefore: string): readonly Piece[] {
  const sign =
    SIGNS_OF_CELLS.find((one) => one === signBefore || word.split(one).length > 2) ??
    AFTER_MAIL.exec(word)?.groups?.['sign'];
  let next = 0;
  return word.split(PARAMETER).flatMap((parameter) => {
    const cells = sign === undefined ? [parameter] : parameter.split(sign);
    return cells.map((text) => {
      const at = next;
      next += text.length + 1;
      return { text, at };
    });
  });
}
