import type { BlockChange } from '../../../dialect/reduction.ts';
import { changeParts } from '../../../reduce/change-parts.ts';

/** The places of blocks: in a message, in an extension's message, in an edit that replaces one. */
const PLACES = [['message', 'content'], ['content'], ['replacement', 'content']] as const;

/** Changes content blocks of a line, and keeps every other byte; undefined when nothing changes. */
export function changeBlocks(bytes: Buffer, change: BlockChange): Buffer | undefined {
  return changeParts(bytes, PLACES, change);
}
