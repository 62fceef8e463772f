import { dirname, join } from 'node:path';
import { FileError } from '../../errors.ts';
import { getDialect } from '../../session/agents/index.ts';
import type { AgentWorld } from '../../session/dialect/surroundings/environment.ts';
import type { DatabaseTables } from '../../session/dialect/surroundings/records.ts';
import type { Flushed } from '../../session/jsonl/files/flush.ts';
import type { SessionFacts, WrittenMember } from '../archive/member/write-member.ts';
import { findHolder, isNotedOpen } from '../sessions/find-use.ts';
import { isPinnedOrNamedSince } from '../sessions/pins.ts';
import { addSidecars, type SessionFiles } from '../sessions/session-files.ts';
import {
  copySession,
  moveSession,
  removeSession,
  type ReportLeft,
} from '../remove/remove-session.ts';
import type { RemovalResult } from './removal-result.ts';
import { inOrder } from './forks/in-order.ts';
import { LateForks } from './forks/late-forks.ts';
import { LateNames } from './late-names.ts';
import { openTrash, type TrashEnvironment } from '../remove/trash.ts';
import { removeEmptied } from '../output/remove-emptied.ts';
import {
  holdWhole,
  type RemovalTarget,
  type WholeRemoval,
  requireRowWriting,
  removeWithRows,
  withStoredRows,
  readStoredRows,
} from '../remove/remove-whole.ts';

/** The place to which sessions are moved. */
export type Destination<D = { readonly path: string }> =
  | { readonly kind: 'trash' }
  /** Removed for good. */
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

type RemoveReporting = (target: RemovalTarget, report: ReportLeft) => Promise<RemovalResult>;

/**
 * Returns a function that removes a session with its rows, only if it is still as it was planned, and its
 * project's directory if that is empty then. Nothing is removed once the signal has aborted. `targets`: all
 * that will be; of these, what others cannot be opened without is removed after them, and kept with any of
 * them that is.
 *
 * The returned function throws FileError where a file of the session cannot be removed.
 * @throws UsageError where some have rows that cannot be removed here.
 */
export async function openRemover(
  destination: Destination,
  environment: TrashEnvironment & AgentWorld & { readonly signal: AbortSignal },
  targets: readonly RemovalTarget[],
  around: AroundRemoval = (target, remove) => remove(target),
): Promise<Remove> {
  await requireRowWriting(targets);
  const late = new LateForks();
  await late.begin(targets);
  const names = new LateNames();
  const unlessKept: UnlessKept = (one, act) => async (stored, rows) => {
    const { path, agent, id, name, pin } = one.candidate;
    // A copy of a long session takes a while, in which somebody may have opened it, or pinned it.
    if (agent !== null && isNotedOpen(agent, path, environment)) return 'open';
    if (agent !== null && isPinnedOrNamedSince({ agent, path, id, name, pin }, environment))
      return 'changed';
    if (await names.isNamedSince(one.candidate, rows)) return 'changed';
    // A fork may have been made: it is looked for while no one can write to the databases.
    return (await late.isNeeded(one)) ? 'needed' : act(stored);
  };
  const remove = await chooseRemove(destination, environment, unlessKept);
  const removeOne = async (one: RemovalTarget): Promise<RemovalResult> => {
    const { path, agent } = one.candidate;
    // Somebody may have continued with it since it was planned.
    if (agent !== null && findHolder(agent, path, environment).isOpen) return { removal: 'open' };
    const left: FileError[] = [];
    const outcome = await removeHeld(one, (target) =>
      remove(target, (problem) => left.push(problem)),
    );
    if (outcome.removal === 'removed') await removeEmptiedProjects(one);
    return left.length === 0 ? outcome : { ...outcome, left };
  };
  return inOrder(targets, async (one) =>
    environment.signal.aborted ? { removal: 'stopped' } : around(one, removeOne),
  );
}

async function removeHeld(one: RemovalTarget, remove: Remove): Promise<RemovalResult> {
  try {
    return await holdWhole(one.candidate.agent, one.files, () => remove(one));
  } catch (error) {
    if (error instanceof FileError && error.code === 'in-use') return { removal: 'open' };
    throw error;
  }
}

/** A session of several files may have been in several directories. */
async function removeEmptiedProjects({ candidate, files }: RemovalTarget): Promise<void> {
  const { agent, path, store } = candidate;
  if (agent === null) return;
  const { sidecars, places } = getDialect(agent);
  const parts = files.files.filter(({ name }) => sidecars?.isPart?.(name) === true);
  const paths = [path, ...parts.map(({ name }) => join(files.root, name))];
  const homes = new Set(paths.map((one) => dirname(one)).filter((home) => home !== store));
  for (const home of homes) await removeEmptied(home, places);
}

type RemoveStored = (stored: Buffer | undefined) => Promise<WholeRemoval>;

/** Lets `act` remove a session unless it has come into use since the plan. */
type UnlessKept = (
  one: RemovalTarget,
  act: RemoveStored,
) => (stored: Buffer | undefined, rows: DatabaseTables) => Promise<WholeRemoval>;

async function chooseRemove(
  destination: Destination,
  environment: TrashEnvironment,
  unlessKept: UnlessKept,
): Promise<RemoveReporting> {
  if (destination.kind === 'nowhere') {
    return async (one, report) => ({
      removal: await removeWithRows(
        one,
        unlessKept(one, () => removeSession(one.files, report)),
        { report },
      ),
    });
  }
  if (destination.kind === 'trash') {
    const move = await openTrash(environment);
    return async (one, report) => {
      const { files } = one;
      const moveAway: RemoveStored = (stored) =>
        moveSession(files, withStoredRows(files, stored, move), report);
      const removal = await removeWithRows(one, unlessKept(one, moveAway), { report });
      return { removal };
    };
  }
  const { path: directory } = destination.directory;
  const { openArchive, writeMember } = await import('../archive/member/write-member.ts');
  await openArchive(directory, environment.now());
  const write: WriteMember = (files, facts) =>
    writeMember(directory, files, facts, environment.now());
  return (one, report) => archive(one, write, { unlessKept, report });
}

/** Writes a session to the archive. */
type WriteMember = (files: SessionFiles, facts: SessionFacts) => Promise<WrittenMember>;

async function archive(
  one: RemovalTarget,
  write: WriteMember,
  { unlessKept, report }: { readonly unlessKept: UnlessKept; readonly report: ReportLeft },
): Promise<RemovalResult> {
  const { candidate, files } = one;
  const { agent, id, cwd, title, modified, store } = candidate;
  const lastActive = new Date(modified).toISOString();
  const facts = { agent: agent ?? '', id, cwd, title, lastActive, store };
  // A long copy is made before the databases are locked.
  const stored = await readStoredRows(one);
  let member: WrittenMember | undefined;
  const copy = async (): Promise<Flushed> => {
    member = await write(
      { ...(await addSidecars(files, files.copied ?? [])), rows: stored },
      facts,
    );
    return member.flushed;
  };
  const state = await copySession(files, copy);
  const removal =
    state === 'same'
      ? await removeWithRows(
          one,
          unlessKept(one, () => removeSession(files, report)),
          { expected: { stored }, report },
        )
      : state;
  return member ? { removal, archivedBytes: member.bytes, archived: member.path } : { removal };
}
