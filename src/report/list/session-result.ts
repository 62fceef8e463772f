import type { SessionSummary, Subagent } from '../../session/model/summary.ts';
import { addUsage, NO_USAGE, type Usage } from '../../session/model/usage.ts';

/** Left out of the JSON: what only the commands themselves need. */
type Inner =
  | 'userMessageCount'
  | 'workCount'
  | 'labelCount'
  | 'unread'
  | 'branchedFrom'
  | 'fileModified'
  | 'lastWritten'
  | 'listedByFile'
  | 'hasLaterName'
  | 'namedAt'
  | 'entryUsages'
  | 'relations'
  | 'origins'
  | 'claims'
  | 'otherCwds'
  | 'otherParents'
  | 'subagents';

/** The JSON of a sub-agent, below its session. */
export type SubagentResult = Omit<Subagent, 'entryUsages'>;

/** The JSON of one listed session: field names that programs rely on. */
export interface SessionResult extends Omit<SessionSummary, Inner> {
  /** Bytes of the session file and its sidecars. */
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
  const {
    userMessageCount: _users,
    workCount: _work,
    labelCount: _labels,
    unread: _unread,
    branchedFrom: _branched,
    fileModified: _file,
    lastWritten: _written,
    listedByFile: _byFile,
    hasLaterName: _later,
    namedAt: _named,
    relations: _relations,
    origins: _origins,
    claims: _claims,
    otherCwds: _cwds,
    otherParents: _parents,
    ...rest
  } = summary;
  const { inheritedUsage } = extra;
  const { entryUsages: _usages, usage, subagents, problem, ...fields } = rest;
  return {
    ...fields,
    totalSize,
    ...(subagents && { subagents: subagents.map(toSubagentResult) }),
    ...(usage && { usage, ...(inheritedUsage && { inheritedUsage }), ...sumSubagents(subagents) }),
    ...(extra.depth !== undefined && { depth: extra.depth }),
    ...(problem && { problem }),
  };
}

function toSubagentResult({ entryUsages: _usages, ...fields }: Subagent): SubagentResult {
  return fields;
}

function sumSubagents(
  subagents: readonly Subagent[] | undefined,
): Pick<SessionResult, 'subagentUsage'> {
  if (!subagents) return {};
  const usages = subagents.flatMap(({ usage }) => usage ?? []);
  return { subagentUsage: usages.reduce(addUsage, NO_USAGE) };
}
