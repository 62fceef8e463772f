import {
  INNER_FACTS,
  type InnerFact,
  type SessionSummary,
  type SubagentResult,
  sumSubagents,
  toSubagentResult,
} from '../../session/model/summary.ts';
import type { Mutable, Usage } from '../../session/model/usage.ts';

/** The members that come last. */
const LAST = ['usage', 'subagents', 'problem'] as const satisfies readonly (keyof SessionSummary)[];

const notFirst: ReadonlySet<string> = new Set([...INNER_FACTS, ...LAST]);

/** The JSON of one listed session: field names that programs rely on. */
export interface SessionResult extends Omit<SessionSummary, InnerFact | 'subagents'> {
  /** Bytes of all files of the session, its sidecars and its sub-agents. */
  readonly totalSize: number;
  readonly subagents?: readonly SubagentResult[];
  /** The usage of all its sub-agents; not a part of `usage`. With `--usage`. */
  readonly subagentUsage?: Usage;
  /** The part of `usage` that a fork copied from its parent. With `--usage`. */
  readonly inheritedUsage?: Usage;
  /** The depth in the tree of forks, with `--lineage`. */
  readonly depth?: number;
}

export function toSessionResult(
  summary: SessionSummary,
  totalSize: number,
  extra: { readonly inheritedUsage?: Usage | undefined; readonly depth?: number | undefined } = {},
): SessionResult {
  const { usage, subagents, problem } = summary;
  const { inheritedUsage, depth } = extra;
  const result: Mutable<SessionResult> = takeFirst(summary, totalSize);
  if (subagents) result.subagents = subagents.map(toSubagentResult);
  if (usage) {
    result.usage = usage;
    if (inheritedUsage) result.inheritedUsage = inheritedUsage;
    if (subagents) result.subagentUsage = sumSubagents(subagents);
  }
  if (depth !== undefined) result.depth = depth;
  if (problem) result.problem = problem;
  return result;
}

type First = Omit<SessionSummary, InnerFact | (typeof LAST)[number]>;

/** Copies members one by one: of spreads, each makes a hidden class, and there is a result for each session. */
function takeFirst(summary: SessionSummary, totalSize: number): First & { totalSize: number } {
  const result: Record<string, unknown> = {};
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has no other members
  const keys = Object.keys(summary) as (keyof SessionSummary)[];
  for (const key of keys) if (!notFirst.has(key)) result[key] = summary[key];
  result['totalSize'] = totalSize;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all but what the type leaves out
  return result as unknown as First & { totalSize: number };
}
