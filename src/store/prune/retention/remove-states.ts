import { join } from 'node:path';
import { FileError } from '../../../errors.ts';
import { takeOut } from '../../archive/member/take-out.ts';
import { isAsIndexed, listNamesOfState } from '../../archive/member/manifest.ts';
import { readManifest } from '../../archive/member/read-member.ts';
import { readMtime } from '../../files/stat-file.ts';
import { inOrder } from '../forks/in-order.ts';
import type { RemovalResult } from '../removal-result.ts';
import { findDependents } from './archived-dependents.ts';
import type { StateDecision } from './archive-retention.ts';

/**
 * Returns a function that removes a state of those that are removed, permanently: only if it is still as it was, and after
 * those that need it, each of which keeps it while it is there. Nothing is removed once the signal has aborted.
 *
 * The returned function throws FileError as `removeState`.
 * @throws the reason of the signal, if it has aborted by then.
 */
export async function openStateRemover(
  directory: string,
  decisions: readonly StateDecision[],
  { now, signal }: { readonly now: () => number; readonly signal: AbortSignal },
): Promise<(decision: StateDecision) => Promise<RemovalResult>> {
  const leaving = decisions.filter(({ action }) => action === 'remove');
  const dependents = await findDependents(
    directory,
    leaving.map(({ state }) => state),
    signal,
  );
  const targets = new Map(
    leaving.map((decision) => {
      const { member } = decision.state;
      const waitsFor = dependents.get(member);
      return [member, { candidate: { path: member }, waitsFor, decision }] as const;
    }),
  );
  const remove = inOrder([...targets.values()], async ({ decision }): Promise<RemovalResult> => {
    if (signal.aborted) return { removal: 'stopped' };
    const isRemoved = await removeState(directory, decision, now());
    return { removal: isRemoved ? 'removed' : 'changed' };
  });
  return ({ state: { member } }) => {
    const target = targets.get(member);
    if (!target) throw new Error(`${member} is kept`);
    return remove(target);
  };
}

/**
 * Removes a state from an archive permanently; false where it is not as it was when that was decided.
 * @throws FileError where it is another session's than the index says, or cannot be removed.
 */
export async function removeState(
  directory: string,
  { state, mtime }: StateDecision,
  now: number,
): Promise<boolean> {
  const { member } = state;
  const path = join(directory, member);
  if (!isAsIndexed(await readManifest(path), state)) {
    const what = 'kept: the index contradicts it; use --rebuild-index';
    throw new FileError(path, 'EARCHIVE', what);
  }
  if (!(await takeOut(directory, { member, mtime }, now))) return false;
  // Two archives that somebody has joined may have it under the names of two kinds. A later one came since the plan.
  for (const other of listNamesOfState(member)) {
    const left = readMtime(join(directory, other));
    const isOlder = left !== undefined && mtime !== undefined && left <= mtime;
    if (isOlder) await takeOut(directory, { member: other, mtime: left }, now);
  }
  return true;
}
