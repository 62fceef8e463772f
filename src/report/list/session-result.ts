import type { SessionSummary } from '../../session/model/summary.ts';
import type { Usage } from '../../session/model/usage.ts';

/** Left out of the JSON: what only the commands themselves need. */
type Inner =
  | 'userMessageCount'
  | 'workCount'
  | 'labelCount'
  | 'unread'
  | 'branchedFrom'
  | 'fileModified'
  | 'lastWritten'
  | 'entryUsages';

/** The JSON of one listed session: field names that programs rely on. */
export interface SessionResult extends Omit<SessionSummary, Inner> {
  /** Bytes of the session file and its sidecars. */
  readonly totalSize: number;
  /** What a fork copied from its parent: part of `usage`. With `--usage`. */
  readonly inheritedUsage?: Usage;
  /** In the tree of forks. With `--lineage`. */
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
    ...rest
  } = summary;
  const { inheritedUsage } = extra;
  const { entryUsages: _usages, usage, problem, ...fields } = rest;
  return {
    ...fields,
    totalSize,
    ...(usage && { usage, ...(inheritedUsage && { inheritedUsage }) }),
    ...(extra.depth !== undefined && { depth: extra.depth }),
    ...(problem && { problem }),
  };
}
