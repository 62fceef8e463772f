import type { JsonObject } from '../../../jsonl/edit/json.ts';
import { sumTokens } from './tokens/estimate-tokens.ts';
import { isVisible, type ProjectedEntry } from '../context/project.ts';

/** The cut of a compaction: positions among the projected entries. */
export interface CutPoint {
  readonly firstKept: number;
  /** The start of the turn that the cut splits; undefined if the cut is between turns. */
  readonly turnStart: number | undefined;
}

const TURN_STARTS: ReadonlySet<unknown> = new Set([
  'user',
  'bashExecution',
  'custom',
  'branchSummary',
  'compactionSummary',
]);

/**
 * Finds where to cut so that about `keepRecentTokens` are kept, as `findProjectedCutPoint` of pi 1.6.0. Looks
 * only at entries from `start` on, which come after the latest compaction.
 */
export function findCutPoint(
  entries: readonly ProjectedEntry[],
  start: number,
  keepRecentTokens: number,
): CutPoint {
  const valid: number[] = [];
  for (let at = start; at < entries.length; at += 1) if (isCuttable(entries[at])) valid.push(at);
  const [first] = valid;
  if (first === undefined) return { firstKept: start, turnStart: undefined };

  const full = findWhereFull(entries, start, keepRecentTokens);
  let cut = full === undefined ? first : (valid.find((at) => at >= full) ?? valid.at(-1) ?? first);
  if (full !== undefined && isRecoverySuffix(entries.slice(cut + 1))) cut += 1;
  while (cut > start && isSilent(entries[cut - 1])) cut -= 1;
  return { firstKept: cut, turnStart: findTurnStart(entries, cut, start) };
}

/** The newest entry that, with all after it, makes up the budget. */
function findWhereFull(
  entries: readonly ProjectedEntry[],
  start: number,
  keepRecentTokens: number,
): number | undefined {
  let sum = 0;
  for (let at = entries.length - 1; at >= start; at -= 1) {
    const tokens = sumTokens(entries[at]?.messages ?? []);
    sum += tokens;
    if (tokens > 0 && sum >= keepRecentTokens) return at;
  }
  return undefined;
}

/**
 * Returns whether nothing follows the cut but an answer that failed and was taken out of the context again
 * with what belongs to it: then the cut may go past the last input, which was answered by nothing.
 */
function isRecoverySuffix(suffix: readonly ProjectedEntry[]): boolean {
  const omitted = suffix.filter(isOmitted);
  const omittedIds = new Set(omitted.map(({ entry }) => entry.id));
  return (
    omitted.some(({ entry }) => entry.role === 'assistant') &&
    suffix.every((one) => one.entry.type !== 'compaction' && (!isVisible(one) || isOmitted(one))) &&
    !suffix.some(({ entry, payload }) => {
      const replaces = entry.type === 'context_edit' && payload?.['replacement'] !== null;
      return replaces && !omittedIds.has(entry.targetId);
    })
  );
}

function isOmitted(one: ProjectedEntry): boolean {
  return one.messages.length === 0 && isVisible(one);
}

function isSilent(one: ProjectedEntry | undefined): boolean {
  return one !== undefined && one.entry.type !== 'compaction' && one.messages.length === 0;
}

/** Returns whether a path can be cut at an entry: never at a tool result, which must follow its call. */
function isCuttable(one: ProjectedEntry | undefined): boolean {
  return hasMessage(one, ({ role }) => TURN_STARTS.has(role) || role === 'assistant');
}

function startsTurn(one: ProjectedEntry | undefined): boolean {
  return hasMessage(one, ({ role }) => TURN_STARTS.has(role));
}

function hasMessage(
  one: ProjectedEntry | undefined,
  test: (message: JsonObject) => boolean,
): boolean {
  return one !== undefined && one.entry.type !== 'compaction' && one.messages.some(test);
}

function findTurnStart(
  entries: readonly ProjectedEntry[],
  cut: number,
  start: number,
): number | undefined {
  if (startsTurn(entries[cut])) return undefined;
  for (let at = cut; at >= start; at -= 1) if (startsTurn(entries[at])) return at;
  return undefined;
}
