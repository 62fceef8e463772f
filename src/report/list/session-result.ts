import type { SessionSummary } from '../../session/summary.ts';
import type { Usage } from '../../session/usage.ts';

/** The JSON of one listed session: field names that programs rely on. */
export function toSessionResult(
  summary: SessionSummary,
  extra: { readonly inheritedUsage?: Usage | undefined; readonly depth?: number | undefined },
): object {
  const {
    userMessageCount: _users,
    labelCount: _labels,
    branchedFrom: _branched,
    fileModified: _file,
    ...rest
  } = summary;
  const { entryUsages: _usages, usage, problem, ...fields } = rest;
  return {
    ...fields,
    ...(usage && { usage, inheritedUsage: extra.inheritedUsage }),
    ...(extra.depth !== undefined && { depth: extra.depth }),
    ...(problem && { problem }),
  };
}
