import type { ShowOptions } from '../../../dialect/dialect.ts';
import type { Entry } from '../../../model/entry.ts';
import { placeAroundAnswers, toUses } from '../context/around-answers.ts';
import { type ClaudeCodeEntry, HARNESS, isBoundary } from './to-entry.ts';

/** Attachments that are a part of the conversation. */
const SAID: ReadonlySet<string | undefined> = new Set(['queued_command', 'file']);

/**
 * Selects the entries of a path for people: without the client's own messages, unless requested. What stands between
 * the lines of an answer comes behind it, as the model is sent it.
 */
export function selectShown(path: readonly Entry[], { harness }: ShowOptions): readonly Entry[] {
  const placed = placeAroundAnswers(path, toUses);
  return harness ? placed : placed.filter(isShown);
}

function isShown(entry: ClaudeCodeEntry): boolean {
  const { type, customType, aside, isMeta } = entry;
  if (aside) return true;
  switch (type) {
    case 'message':
      return customType !== HARNESS;
    case 'attachment':
      return SAID.has(customType) && isMeta !== true;
    case 'compaction':
      return true;
    default:
      return isBoundary(entry);
  }
}
