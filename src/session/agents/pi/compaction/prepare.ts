import type { CompactionSettings, Preparation } from '../../../dialect/compaction.ts';
import type { Entry } from '../../../model/entry.ts';
import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import { selectContext } from '../context/context.ts';
import { countContextTokens } from './tokens/context-tokens.ts';
import { findCutPoint } from './cut-point.ts';
import { estimateTokens, sumTokens } from './tokens/estimate-tokens.ts';
import { collectFileOperations } from './file-lists.ts';
import { project, type ProjectedEntry } from '../context/project.ts';
import { getCurrentSystemMessage } from './to-model/system-message.ts';
import type { ReadPayload } from '../../../dialect/fold.ts';

/**
 * Plans a compaction at the end of a path, as `prepareCompaction` of pi 1.6.0. Undefined when there is
 * nothing to do: the path ends with a compaction, or nothing is before the cut.
 */
export async function prepareCompaction(
  path: readonly Entry[],
  readPayload: ReadPayload,
  settings: CompactionSettings,
): Promise<Preparation | undefined> {
  if (path.at(-1)?.type === 'compaction') return undefined;
  const projected = await project(selectContext(path), readPayload);
  const latest = projected.findIndex(
    ({ entry, messages }) => entry.type === 'compaction' && messages.length > 0,
  );
  const earlier = projected[latest]?.payload;
  const start = latest + 1;
  const { firstKept, turnStart } = findCutPoint(projected, start, settings.keepRecentTokens);
  const firstKeptEntryId = projected[firstKept]?.entry.id;
  if (!firstKeptEntryId) return undefined;

  const messages = toSummarizable(projected.slice(start, turnStart ?? firstKept));
  const turnPrefix =
    turnStart === undefined ? [] : toSummarizable(projected.slice(turnStart, firstKept));
  if (messages.length === 0 && turnPrefix.length === 0) return undefined;
  const systemMessage = getCurrentSystemMessage(projected.flatMap((one) => one.messages));
  const kept = sumTokens(toSummarizable(projected.slice(firstKept)));
  return {
    firstKeptEntryId,
    isSplitTurn: turnStart !== undefined,
    messagesToSummarize: messages,
    turnPrefixMessages: turnPrefix,
    previousSummary: earlier && getString(earlier, 'summary'),
    systemMessage,
    tokensBefore: countContextTokens(projected, path),
    tokensKept: kept + (systemMessage ? estimateTokens(systemMessage) : 0),
    fileOps: collectFileOperations([...messages, ...turnPrefix], earlier),
    settings,
  };
}

/** Counts the tokens that would be kept of a path if it was cut at another entry, with the prompt. */
export async function countKept(
  path: readonly Entry[],
  readPayload: ReadPayload,
  firstKeptEntryId: string | null,
): Promise<number> {
  const at = path.findIndex(({ id }) => id !== undefined && id === firstKeptEntryId);
  const kept = at === -1 ? [] : await project(path.slice(at), readPayload);
  const all = await project(selectContext(path), readPayload);
  const systemMessage = getCurrentSystemMessage(all.flatMap((one) => one.messages));
  return sumTokens(toSummarizable(kept)) + (systemMessage ? estimateTokens(systemMessage) : 0);
}

/** System messages are the state of the prompt, not of the conversation. */
function toSummarizable(entries: readonly ProjectedEntry[]): readonly JsonObject[] {
  return entries
    .filter(({ entry }) => entry.type !== 'compaction')
    .flatMap(({ messages }) => messages.filter((message) => message['role'] !== 'system'));
}
