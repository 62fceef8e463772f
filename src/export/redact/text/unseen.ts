import { HIDDEN } from '../../../session/model/text/hidden-characters.ts';
import { TERMINAL_SEQUENCE } from '../../turns/readable.ts';

/** Halves of characters, which are drawn as a mark or not at all. */
const LONE_SURROGATE = /\p{Surrogate}/gu;
/** A terminal writes what follows over it. */
const OVERSTRUCK = /[^\n\b][\b]/g;
/** Characters that no reader sees. */
export const UNSEEN: readonly RegExp[] = [OVERSTRUCK, TERMINAL_SEQUENCE, HIDDEN, LONE_SURROGATE];

/** A text without what no reader sees, as a reading has it. */
export function removeUnseen(text: string): string {
  return UNSEEN.reduce((seen, pattern) => seen.replace(pattern, ''), text);
}
