import type { JsonObject } from '../../session/jsonl/edit/json.ts';
import { DEFAULT_KEEP_RECENT_TOKENS } from '../../session/dialect/compaction.ts';
import { convertToLlm as convert } from '../../session/agents/pi/compaction/to-model/convert-to-llm.ts';
import { findCutPoint as findCut } from '../../session/agents/pi/compaction/cut-point.ts';
import { toContextMessages } from '../../session/agents/pi/context/context-messages.ts';
import { formatConversation as format } from '../../session/model/text/format-conversation.ts';
import type { SpokenMessage } from '../../session/model/text/summarizer.ts';
import { check, checkOptional } from '../arguments.ts';
import { indexRecords } from './records/build-record-context.ts';
import { asLlmMessages, asRecord } from '../typed.ts';
import type { LlmMessage } from './messages.ts';
import { serializeConversation as serialize } from '../../session/agents/pi/compaction/to-spoken.ts';

/** The place where a compaction would cut, as pi's `findCutPoint` returns it. */
export interface CutPointResult {
  readonly firstKeptEntryIndex: number;
  /** The index at which the turn begins that the cut splits; -1 if it splits none. */
  readonly turnStartIndex: number;
  readonly isSplitTurn: boolean;
}

/**
 * Converts the messages of a context to those that the model is sent, like pi 1.6.0: commands,
 * messages of extensions and summaries become messages of the user. @throws TypeError for a value
 * that is not a list.
 */
export function convertToLlm(messages: readonly object[]): LlmMessage[] {
  return asLlmMessages(convert(toRecords('messages', messages)));
}

/**
 * Writes messages of `convertToLlm` as the plain text that a summarizer reads, like pi 1.6.0.
 * @throws TypeError for a value that is not a list of messages.
 */
export function serializeConversation(messages: readonly object[]): string {
  return serialize(toRecords('messages', messages));
}

/**
 * Writes messages of any agent as the plain text that a summarizer reads, in the form of `serializeConversation`.
 * @throws TypeError for a value that is not a list of messages.
 */
export function formatConversation(messages: readonly SpokenMessage[]): string {
  check('messages', 'objects', messages);
  return format(messages);
}

/**
 * Finds where to cut the entries of a path so that about `keepRecentTokens` remain, as pi 1.6.0 does it. Only
 * entries from `startIndex` on and before `endIndex` count.
 * @throws TypeError for a wrong argument.
 */
export function findCutPoint(
  entries: readonly object[],
  startIndex = 0,
  endIndex?: number,
  keepRecentTokens = DEFAULT_KEEP_RECENT_TOKENS,
): CutPointResult {
  const records = toRecords('entries', entries);
  check('startIndex', 'count', startIndex);
  checkOptional('endIndex', 'count', endIndex);
  check('keepRecentTokens', 'count', keepRecentTokens);
  const projected = [...indexRecords(records.slice(0, endIndex))].map(([entry, payload]) => ({
    entry,
    payload,
    messages: toContextMessages(payload, entry.role),
  }));
  const { firstKept, turnStart } = findCut(projected, startIndex, keepRecentTokens);
  return {
    firstKeptEntryIndex: firstKept,
    turnStartIndex: turnStart ?? -1,
    isSplitTurn: turnStart !== undefined,
  };
}

function toRecords(name: string, value: readonly object[]): readonly JsonObject[] {
  check(name, 'objects', value);
  return value.map(asRecord);
}
