import { FileError } from '../../../errors.ts';
import type { PruneResult } from '../../../report/prune/columns.ts';
import { findDialect } from '../../../session/agents/index.ts';
import { readSession } from '../../../session/read/read-session.ts';

/** A thread may be of several files. */
const OWN = '--as-of <date> restores an earlier state, which may have it';
const HOW: ReadonlyMap<string | undefined, string> = new Map([
  ['base-missing', 'restore that session, too'],
  ['base-short', '--as-of <date> restores both as they were then'],
]);

interface Checked {
  readonly results: readonly PruneResult[];
  readonly problems: readonly FileError[];
}

/**
 * Finds the restored sessions that continue from another one, which is not there, or ends before the place that they
 * continue from: an archive may have several states of that. Call this once all are restored. It is a problem where
 * the archive has the other session, and a reason beside the result where it does not: most such sessions were
 * archived like that.
 */
export async function checkBases(
  results: readonly PruneResult[],
  archived: ReadonlySet<string>,
): Promise<Checked> {
  const problems: FileError[] = [];
  const check = async (result: PruneResult): Promise<PruneResult> => {
    const { action, agent, path, id } = result;
    if (action !== 'restore' || !findDialect(agent)?.bases) return result;
    const { problem, base } = (await readSession(path, {})).session;
    const how = HOW.get(problem?.code);
    if (!problem || !how) return result;
    if (!archived.has(base?.id ?? '')) {
      return { ...result, reasons: [...result.reasons, problem.message] };
    }
    const advice = base?.id === id ? OWN : how;
    problems.push(new FileError(path, 'ENODATA', `${problem.message}; ${advice}`));
    return result;
  };
  const checked: PruneResult[] = [];
  for (const result of results) {
    try {
      checked.push(await check(result));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      problems.push(error);
      checked.push(result);
    }
  }
  return { results: checked, problems };
}
