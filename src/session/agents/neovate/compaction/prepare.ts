import { readUsage } from '../entry/entry-usage.ts';
import { getText } from '../entry/parts.ts';
import { toTurns } from '../entry/to-turn.ts';
import { isCompaction, isOldToolResult } from '../format.ts';
import type { CompactionSettings, Preparation } from '../../../dialect/compaction.ts';
import type { ReadPayload } from '../../../dialect/fold.ts';
import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import type { Entry } from '../../../model/entry.ts';
import type { FileOperations } from '../../../model/text/file-operations.ts';
import type { SpokenMessage } from '../../../model/text/summarizer.ts';
import { toSpoken } from '../../../model/text/to-spoken.ts';
import { countCharacters, toTokens } from '../../../model/text/tokens.ts';

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
  const all: JsonObject[] = [];
  for (const entry of path) all.push(await readPayload(entry));
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
    fileOps: collectFileOperations(toSpokenMessages(messages)),
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
  const spoken = toSpokenMessages(messages);
  return spoken.reduce((sum, message) => sum + toTokens(countCharacters(message)), 0);
}

/** The files that calls of Neovate's own tools name. */
function collectFileOperations(messages: readonly SpokenMessage[]): FileOperations {
  const [read, written, edited] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const message of messages) {
    for (const { name, arguments: given } of message.role === 'assistant' ? message.calls : []) {
      const path = getString(given, 'file_path');
      if (!path) continue;
      if (name === 'read') read.add(path);
      else if (name === 'write') written.add(path);
      else if (name === 'edit') edited.add(path);
    }
  }
  return { read, written, edited };
}
