import { dirname, join } from 'node:path';
import { FileError } from '../../errors.ts';
import { getDialect } from '../../session/agents/index.ts';
import type { AgentWorld } from '../../session/dialect/surroundings/world.ts';
import type { DatabaseTables } from '../../session/dialect/surroundings/records.ts';
import type { Flushed } from '../../session/jsonl/files/flush.ts';
import type { WrittenMember } from '../archive/member/write-member.ts';
import { addTo } from '../../session/model/tree/group-by.ts';
import { isGone } from '../files/stat-file.ts';
import { holdSessions } from '../lock/hold-session.ts';
import { findHolder } from '../sessions/find-use.ts';
import { addSidecars } from '../sessions/session-files.ts';
import {
  copySession,
  moveSession,
  removeSession,
  type ReportLeft,
} from '../remove/remove-session.ts';
import type { RemovalResult } from './removal-result.ts';
import { inOrder } from './forks/in-order.ts';
import { LateChecks } from './late-checks.ts';
import { openTrash, type TrashWorld } from '../remove/trash.ts';
import { removeEmptied } from '../output/remove-emptied.ts';
import {
  type RemovalTarget,
  type RowRemoval,
  type WholeRemoval,
  removeWithRows,
  withStoredRows,
  readStoredRows,
} from '../remove/remove-whole.ts';

/** The place to which sessions are moved. */
export type Destination<D = { readonly path: string }> =
  | { readonly kind: 'trash' }
  /** Removed permanently. */
  | { readonly kind: 'nowhere' }
  | { readonly kind: 'archive'; readonly directory: D };

/** Returns the trash, unless there is an archive, or nothing is to be kept. */
export function toDestination<D>(isPermanent: boolean, directory: D | undefined): Destination<D> {
  if (isPermanent) return { kind: 'nowhere' };
  return directory ? { kind: 'archive', directory } : { kind: 'trash' };
}

export type Remove = (targets: RemovalTarget) => Promise<RemovalResult>;

/** Does something before and after a session is removed. */
export type AroundRemoval = (target: RemovalTarget, remove: Remove) => Promise<RemovalResult>;

/**
 * Returns a function that removes a session with its rows, only if it is still as it was planned, and its
 * project's directory if that is empty then. Nothing is removed once the signal has aborted. `targets`: all
 * sessions of the run. A session without which others cannot be opened is removed after them, and kept if one
 * of them is kept.
 *
 * The returned function throws FileError where a file of the session cannot be removed.
 */
export async function openRemover(
  destination: Destination,
  world: TrashWorld & AgentWorld & { readonly signal: AbortSignal },
  targets: readonly RemovalTarget[],
  around: AroundRemoval = (target, remove) => remove(target),
): Promise<Remove> {
  const late = await LateChecks.open(targets, world);
  const take = await openDestination(destination, world);
  const removeOne = async (one: RemovalTarget): Promise<RemovalResult> => {
    const { path, agent } = one.candidate;
    // Somebody may have continued with it since it was planned.
    if (agent !== null && findHolder(agent, path, world).isOpen) return { removal: 'open' };
    const left: FileError[] = [];
    const report: ReportLeft = (problem) => left.push(problem);
    const outcome = await holdAndRemove(one, () => take(one, { late, report }));
    if (outcome.removal === 'removed') await removeEmptiedProjects(one);
    return left.length === 0 ? outcome : { ...outcome, left };
  };
  const held = findHeld(targets);
  return inOrder(targets, async (one) => {
    if (world.signal.aborted) return { removal: 'stopped' };
    const reason = held.get(one);
    return reason === undefined ? around(one, removeOne) : { removal: 'needed', reason };
  });
}

/**
 * Finds the targets for which something has to go before them that is still there, and is none of the targets: a
 * program may remove only some of what its plan removes. What waits for one of them is kept, too, also where sessions
 * wait for each other in a circle. Returns the reason of each.
 */
function findHeld(targets: readonly RemovalTarget[]): ReadonlyMap<RemovalTarget, string> {
  const byPath = new Map(targets.map((one) => [one.candidate.path, one]));
  const held = new Map<RemovalTarget, string>();
  const waiting = new Map<RemovalTarget, { one: RemovalTarget; reason: string }[]>();
  for (const one of targets) {
    for (const { path, reason } of one.waitsFor ?? []) {
      const before = byPath.get(path);
      if (before) addTo(waiting, before, { one, reason });
      else if (!isGone(path)) held.set(one, reason);
    }
  }
  // A map that grows is walked to its end.
  for (const before of held.keys()) {
    for (const { one, reason } of waiting.get(before) ?? []) {
      if (!held.has(one)) held.set(one, reason);
    }
  }
  return held;
}

/** Removes a session while no process of its agent can open any of its files. */
async function holdAndRemove(
  { candidate: { agent }, files: { root, files } }: RemovalTarget,
  remove: () => Promise<RemovalResult>,
): Promise<RemovalResult> {
  if (agent === null) return remove();
  const paths = files.map(({ name }) => join(root, name));
  try {
    return await holdSessions(agent, undefined, paths, remove);
  } catch (error) {
    if (error instanceof FileError && error.code === 'in-use') return { removal: 'open' };
    throw error;
  }
}

/** A session of several files may have been in several directories. */
async function removeEmptiedProjects({ candidate, files }: RemovalTarget): Promise<void> {
  const { agent, path, stores } = candidate;
  if (agent === null) return;
  const { sidecars, places } = getDialect(agent);
  const parts = files.files.filter(({ name }) => sidecars?.isPart?.(name) === true);
  const paths = [path, ...parts.map(({ name }) => join(files.root, name))];
  const homes = new Set(paths.map((one) => dirname(one)).filter((home) => !stores.includes(home)));
  for (const home of homes) await removeEmptied(home, places);
}

/** The terms on which a session is taken away. */
interface TakeTerms {
  readonly late: LateChecks;
  readonly report: ReportLeft;
}

/** Takes a session with its rows to a destination. */
type Take = (one: RemovalTarget, terms: TakeTerms) => Promise<RemovalResult>;

async function openDestination(destination: Destination, world: TrashWorld): Promise<Take> {
  if (destination.kind === 'archive') return openArchived(destination.directory.path, world);
  const move = destination.kind === 'trash' ? await openTrash(world) : undefined;
  return async (one, terms) => {
    const { files } = one;
    const { report } = terms;
    const removal = await removeUnlessKept(one, terms, (stored) =>
      move
        ? moveSession(files, withStoredRows(files, stored, move), report)
        : removeSession(files, report),
    );
    return { removal };
  };
}

/** Writes each session to an archive before it is removed. */
async function openArchived(directory: string, { now }: Pick<TrashWorld, 'now'>): Promise<Take> {
  const { openArchive, writeMember } = await import('../archive/member/write-member.ts');
  await openArchive(directory, now());
  return async (one, terms) => {
    const { candidate, files } = one;
    const { agent, id, cwd, title, modified, stores } = candidate;
    const lastActive = new Date(modified).toISOString();
    const facts = { agent: agent ?? '', id, cwd, title, lastActive, store: stores[0] };
    // A long copy is made before the databases are locked.
    const stored = await readStoredRows(one);
    let member: WrittenMember | undefined;
    const copy = async (): Promise<Flushed> => {
      const copied = await addSidecars(files, files.copied ?? []);
      member = await writeMember(directory, { ...copied, rows: stored }, facts, now());
      return member.flushed;
    };
    const state = await copySession(files, copy);
    const take = (): Promise<WholeRemoval> => removeSession(files, terms.report);
    const removal = state === 'same' ? await removeUnlessKept(one, terms, take, { stored }) : state;
    return member ? { removal, archivedBytes: member.bytes, archived: member.path } : { removal };
  };
}

/** Lets `take` remove a session, with its rows, unless it has come into use since the plan. */
function removeUnlessKept(
  one: RemovalTarget,
  { late, report }: TakeTerms,
  take: (stored: Buffer | undefined) => Promise<WholeRemoval>,
  expected?: RowRemoval['expected'],
): Promise<WholeRemoval> {
  const remove = async (stored: Buffer | undefined, rows: DatabaseTables): Promise<WholeRemoval> =>
    (await late.findReason(one, rows)) ?? take(stored);
  return removeWithRows(one, remove, expected ? { expected, report } : { report });
}
