import { HIDDEN } from '../../../session/model/text/hidden-characters.ts';
import { TERMINAL_SEQUENCE } from '../../turns/readable.ts';

/** Halves of characters, which are drawn as a mark or not at all. */
const LONE_SURROGATE = /\p{Surrogate}/gu;
/** A terminal writes what follows over it. */
const OVERSTRUCK = /[^\n\b][\b]/g;
/**
 * Returns of a terminal to the beginning of a line. What follows is written over the word before. One in front of the
 * end of its line is a part of this end, which `git diff --color` shows in a color of its own.
 */
const RETURN =
  // oxlint-disable-next-line no-control-regex
  /\r(?!(?:\u001b\[[\d;]{0,20}[Km]){0,8}\r?\n)(?=(?:\u001b\[[0-2]?K|\u001b\[[\d;]{0,20}m){1,8})|\u001b\[2K(?:\r(?!\n)|\u001b\[1?G)|\u001b\[1?G\u001b\[[02]?K/g;
/** Characters that no reader sees, and what a reading has instead of them. */
export const UNSEEN: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [RETURN, '\n'],
  [OVERSTRUCK, ''],
  [TERMINAL_SEQUENCE, ''],
  [HIDDEN, ''],
  [LONE_SURROGATE, ''],
];

/** A text without what no reader sees, as a reading has it. */
export function removeUnseen(text: string): string {
  return UNSEEN.reduce((seen, [pattern, instead]) => seen.replace(pattern, instead), text);
}
