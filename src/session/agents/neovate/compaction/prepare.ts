import { readUsage } from '../entry/entry-usage.ts';
import { getText } from '../entry/parts.ts';
import { toTurns } from '../entry/to-turn.ts';
import { isCompaction, isOldToolResult } from '../format.ts';
import type { CompactionSettings, Preparation } from '../../../dialect/compaction.ts';
import { type ReadPayload, readPayloads } from '../../../dialect/fold.ts';
import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import type { Entry } from '../../../model/entry.ts';
import { collectFileOperations, type FileTools } from '../../../model/text/file-operations.ts';
import type { SpokenMessage } from '../../../model/text/summarizer.ts';
import { toSpoken } from '../../../model/text/to-spoken.ts';
import { countSpokenTokens } from '../../../model/text/tokens.ts';

/** Messages as a summarizer reads them. */
export function toSpokenMessages(messages: readonly JsonObject[]): readonly SpokenMessage[] {
  return messages.flatMap((message) => {
    const role = isOldToolResult(message) ? 'tool' : getString(message, 'role');
    return toTurns(message, role).flatMap((turn) => toSpoken(turn) ?? []);
  });
}

/**
 * Plans `/compact` at the end of a path: all of it is summarized, and nothing is kept beside the summary,
 * which cannot name entries to keep. Undefined when there is nothing to do.
 */
export async function prepareCompaction(
  path: readonly Entry[],
  readPayload: ReadPayload,
  settings: CompactionSettings,
): Promise<Preparation | undefined> {
  if (path.length === 0 || path.at(-1)?.type === 'compaction') return undefined;
  const all = await readPayloads(path, readPayload);
  const [first] = all;
  const previous = first && isCompaction(first) ? first : undefined;
  const messages = previous ? all.slice(1) : all;
  return {
    firstKeptEntryId: null,
    isSplitTurn: false,
    messagesToSummarize: messages,
    turnPrefixMessages: [],
    previousSummary: previous && getText(previous),
    systemMessage: undefined,
    tokensBefore: countTokens(all),
    tokensKept: 0,
    fileOps: collectFileOperations(toSpokenMessages(messages), FILE_TOOLS),
    settings,
  };
}

/**
 * Counts tokens by Neovate's rule: the count that the last answer reported. Without one, Neovate
 * never compacts by itself; we estimate all of it.
 */
function countTokens(messages: readonly JsonObject[]): number {
  const last = messages.findLast(({ role }) => role === 'assistant');
  const reported = last && readUsage(last)?.totalTokens;
  if (reported) return reported;
  return countSpokenTokens(toSpokenMessages(messages));
}

/** Neovate's own tools whose calls name files. */
const FILE_TOOLS: FileTools = {
  keys: ['file_path'],
  operations: new Map([
    ['read', 'read'],
    ['write', 'written'],
    ['edit', 'edited'],
  ]),
};
