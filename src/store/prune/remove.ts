import type { FileError } from '../../errors.ts';
import { USE_REASONS } from '../../session/model/in-use.ts';
import type { Candidate } from '../../session/prune/candidate.ts';
import { openArchive, writeMember, type WrittenMember } from '../archive/write-member.ts';
import { findHolder } from '../read/find-use.ts';
import {
  moveSession,
  type Removal,
  removeEmptyProject,
  removeSession,
} from '../remove/remove-session.ts';
import type { SessionFiles } from '../remove/session-files.ts';
import { openTrash, type TrashEnvironment } from '../remove/trash.ts';

/** A session that is to be removed, with the files that were seen of it. */
export interface Leaving {
  readonly candidate: Candidate;
  readonly files: SessionFiles;
}

/** What became of one session that was to be removed. */
export interface Departure {
  readonly removal: Removal | 'stopped' | 'open';
  /** Compressed, where it was moved to an archive. */
  readonly archivedBytes?: number;
  readonly archived?: string;
}

/** Where removed sessions are kept. */
export type Destination =
  | { readonly kind: 'trash' }
  /** Removed for good. */
  | { readonly kind: 'nowhere' }
  | { readonly kind: 'archive'; readonly directory: { readonly path: string } };

type Remove = (leaving: Leaving) => Promise<Departure>;

/**
 * Returns a function that removes a session, only if it is still as it was planned, and its project's
 * directory if that is empty then. Nothing is removed once the signal has aborted.
 *
 * The returned function throws FileError where a file of the session cannot be removed.
 */
export async function openRemover(
  destination: Destination,
  environment: TrashEnvironment & { readonly signal: AbortSignal },
): Promise<Remove> {
  const remove = await chooseRemove(destination, environment);
  return async (one) => {
    if (environment.signal.aborted) return { removal: 'stopped' };
    const { path, store, agent } = one.candidate;
    // Somebody may have gone on with it since it was planned.
    if (agent !== null && findHolder(agent, path).isOpen) return { removal: 'open' };
    const departure = await remove(one);
    if (departure.removal === 'removed') await removeEmptyProject(path, store);
    return departure;
  };
}

async function chooseRemove(
  destination: Destination,
  environment: TrashEnvironment,
): Promise<Remove> {
  if (destination.kind === 'nowhere') {
    return async ({ files }) => ({ removal: await removeSession(files) });
  }
  if (destination.kind === 'trash') {
    const move = await openTrash(environment);
    return async ({ files }) => ({ removal: await moveSession(files, move) });
  }
  const { path: directory } = destination.directory;
  await openArchive(directory, environment.now());
  return ({ candidate, files }) => archive(directory, candidate, files, environment.now());
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

const NOT_REMOVED = {
  gone: 'gone before it could be removed',
  changed: 'changed since it was planned',
  stopped: 'stopped before its turn',
  open: USE_REASONS.open,
} as const;

/** Why a session is still there; undefined if it was removed. */
export function describeStay({ removal }: Departure): string | undefined {
  return removal === 'removed' ? undefined : NOT_REMOVED[removal];
}

/** What refused is named where it is not the session itself. */
export function describeFailure({ path, message }: FileError, candidate: Candidate): string {
  const isOther = path !== candidate.path && !message.includes(path);
  return isOther ? `${message}: ${path}` : message;
}
