import type { FileError } from '../../errors.ts';
import type { Candidate } from '../../session/prune/candidate.ts';
import { openArchive, writeMember, type WrittenMember } from '../../store/archive/write-member.ts';
import {
  moveSession,
  type Removal,
  removeEmptyProject,
  removeSession,
} from '../../store/remove/remove-session.ts';
import type { SessionFiles } from '../../store/remove/session-files.ts';
import { openTrash } from '../../store/remove/trash.ts';
import type { Context } from '../command.ts';
import type { Destination } from './request.ts';
import { runSessions } from '../shared/run-sessions.ts';

/** A session that goes. */
export interface Leaving {
  readonly candidate: Candidate;
  readonly files: SessionFiles;
}

/** What became of one session that was to go. */
export interface Departure {
  readonly removal: Removal | 'stopped';
  /** Compressed, where it went to an archive. */
  readonly archivedBytes?: number;
  readonly archived?: string;
}

type Remove = (leaving: Leaving) => Promise<Departure>;

/**
 * Removes sessions, each only if it is still as it was planned. A signal ends this between two
 * sessions, and what was done till then is told. Keyed by session; a text says why one failed.
 */
export async function removeAll(
  leaving: readonly Leaving[],
  { jobs, destination }: { readonly jobs: number; readonly destination: Destination },
  context: Context,
): Promise<ReadonlyMap<Candidate, Departure | string>> {
  const remove = await chooseRemove(destination, context);
  const job = async (one: Leaving): Promise<Departure> => {
    if (context.signal.aborted) return { removal: 'stopped' };
    const departure = await remove(one);
    const { path, store } = one.candidate;
    if (departure.removal === 'removed') await removeEmptyProject(path, store);
    return departure;
  };
  const outcomes = await runSessions(leaving, job, {
    label: 'Removing',
    jobs,
    // The run's own signal would throw away the account of what is done.
    context: { ...context, signal: new AbortController().signal },
  });
  return new Map(
    outcomes.map((outcome) => [
      outcome.item.candidate,
      outcome.ok ? outcome.value : describeFailure(outcome.error, outcome.item.candidate),
    ]),
  );
}

async function chooseRemove(destination: Destination, context: Context): Promise<Remove> {
  if (destination.kind === 'nowhere') {
    return async ({ files }) => ({ removal: await removeSession(files) });
  }
  if (destination.kind === 'trash') {
    const move = await openTrash(context);
    return async ({ files }) => ({ removal: await moveSession(files, move) });
  }
  const { path: directory } = destination.directory;
  await openArchive(directory, context.now());
  return ({ candidate, files }) => archive(directory, candidate, files, context.now());
}

async function archive(
  directory: string,
  { agent, id, cwd, title, modified, store }: Candidate,
  files: SessionFiles,
  now: number,
): Promise<Departure> {
  const lastActive = new Date(modified).toISOString();
  const facts = { agent: agent ?? '', id, cwd, title, lastActive, store };
  let member: WrittenMember | undefined;
  const removal = await removeSession(files, async () => {
    member = await writeMember(directory, files, facts, now);
    return member.flushed;
  });
  return member ? { removal, archivedBytes: member.bytes, archived: member.path } : { removal };
}

/** What refused is named where it is not the session itself. */
function describeFailure({ path, message }: FileError, candidate: Candidate): string {
  const isOther = path !== candidate.path && !message.includes(path);
  return isOther ? `${message}: ${path}` : message;
}
