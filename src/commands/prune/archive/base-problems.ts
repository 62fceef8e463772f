import { FileError } from '../../../errors.ts';
import type { PruneResult } from '../../../report/prune/columns.ts';
import { findDialect } from '../../../session/agents/index.ts';
import { readSession } from '../../../session/read/read-session.ts';

const HOW: ReadonlyMap<string | undefined, string> = new Map([
  ['base-missing', 'restore that, too'],
  ['base-short', '--as-of <date> restores both as they were then'],
]);

/**
 * Finds the problems of restored sessions that continue from another one, which is not there, or ends before the
 * place that they continue from: an archive may have several states of that. Call this once all are restored.
 */
export async function findBaseProblems(
  results: readonly PruneResult[],
  signal: AbortSignal,
): Promise<readonly FileError[]> {
  const found: FileError[] = [];
  for (const { action, agent, path } of results) {
    if (action !== 'restore' || !findDialect(agent)?.bases) continue;
    try {
      const { problem } = (await readSession(path, { signal })).session;
      const how = HOW.get(problem?.code);
      if (problem && how) found.push(new FileError(path, 'ENODATA', `${problem.message}; ${how}`));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      found.push(error);
    }
  }
  return found;
}
