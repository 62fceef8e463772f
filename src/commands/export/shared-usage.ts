import type { SessionSummary } from '../../session/model/summary.ts';
import { findInheritedUsages } from '../../session/model/tree/inherited-usage.ts';
import type { InheritedUsages } from '../../session/model/usage.ts';

/** Finds the usages that sessions have copied, and that count for others; those that cannot be opened have no part in it. */
export function findShared(everywhere: readonly SessionSummary[]): InheritedUsages {
  return findInheritedUsages(everywhere.filter(({ problem }) => !problem));
}

/** The places of such usages in a session, in order. */
export function listCopied(inherited: InheritedUsages, path: string): readonly number[] {
  return [...(inherited.get(path) ?? [])].toSorted((a, b) => a - b);
}

/** Describes the states of the sub-agents that a listing names of a session. */
export function describeBelow({ subagents = [] }: SessionSummary): readonly unknown[] {
  return subagents.map(({ path, size, modified }) => [path, size, modified]);
}
