import type { Entry } from '../../../../model/entry.ts';
import { getObject, type JsonObject } from '../../../../jsonl/edit/json.ts';
import { estimateTokens, sumTokens } from './estimate-tokens.ts';
import type { ProjectedEntry } from '../../context/project.ts';
import { getCurrentSystemMessage } from '../to-model/system-message.ts';

/**
 * Returns how many tokens the context holds, as `estimateProjectedContextTokens` of pi 1.6.0: what the last
 * good answer said, and an estimate for what came after it. All of it is estimated when an edit or a
 * compaction after that answer made its number worthless.
 */
export function countContextTokens(
  projected: readonly ProjectedEntry[],
  path: readonly Entry[],
): number {
  const reported = findReportedUsage(projected);
  if (reported && isStillTrue(reported.entry, path)) return reported.tokens;
  const messages = projected.flatMap((entry) => entry.messages);
  const system = getCurrentSystemMessage(messages);
  const others = messages.filter((message) => message['role'] !== 'system');
  return (system ? estimateTokens(system) : 0) + sumTokens(others);
}

interface ReportedUsage {
  readonly entry: Entry;
  /** The tokens that the entry reports, with estimates for what came after it. */
  readonly tokens: number;
}

function findReportedUsage(projected: readonly ProjectedEntry[]): ReportedUsage | undefined {
  let trailing = 0;
  for (const { entry, messages } of projected.toReversed()) {
    for (const message of messages.toReversed()) {
      const tokens = getUsageTokens(message);
      if (tokens > 0) return { entry, tokens: tokens + trailing };
      trailing += estimateTokens(message);
    }
  }
  return undefined;
}

/** 0 for what is not an answer, or one that failed or reported nothing. */
function getUsageTokens(message: JsonObject): number {
  const { stopReason } = message;
  if (message['role'] !== 'assistant' || stopReason === 'aborted' || stopReason === 'error')
    return 0;
  const usage = getObject(message, 'usage');
  if (!usage) return 0;
  const { totalTokens, input, output, cacheRead, cacheWrite } = usage;
  // One missing part makes the sum NaN, like in pi.
  return Number(totalTokens) || sum([input, output, cacheRead, cacheWrite]) || 0;
}

function sum(parts: readonly unknown[]): number {
  return parts.reduce<number>((total, part) => total + Number(part), 0);
}

function isStillTrue(entry: Entry, path: readonly Entry[]): boolean {
  const lastChange = path.findLastIndex(
    ({ type }) => type === 'context_edit' || type === 'compaction',
  );
  return entry.id !== undefined && path.indexOf(entry) > lastChange;
}
