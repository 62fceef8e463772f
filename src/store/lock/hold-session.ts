import { closeSync, constants, openSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { FileError } from '../../errors.ts';
import type { WriterLock } from '../../session/dialect/surroundings/liveness.ts';
import { toFileError } from '../../session/jsonl/files/file-error.ts';
import { releaseAfter, releaseAfterSync } from '../../session/jsonl/files/release-after.ts';
import { refuseLastLink, system } from '../../session/jsonl/files/system.ts';
import { isOneFile } from '../../session/jsonl/files/identity/same-file.ts';
import { getStampSync } from '../../session/jsonl/files/sync-calls.ts';
import type { Agent } from '../../session/model/agent.ts';
import { IS_OPEN } from '../../session/model/in-use.ts';
import { findHomes, listLocks, toLockNames } from './find-homes.ts';
import { tryLock } from './flock.ts';
import { holdAlone, openFree } from './open-alone.ts';
import { attemptSync } from '../files/attempt.ts';

/** How long to wait before each further try for a lock that is held for moments; milliseconds. */
const WAITS = [5, 10, 20, 40, 80, 160, 320, 640, 1280];
const { O_CREAT, O_NONBLOCK, O_RDONLY, O_RDWR } = constants;

/** Paths of the locks that we hold: without this list, they would look like those of an agent. */
const held = new Set<string>();

/**
 * Returns whether a process of the agent has the lock of a session. What a killed one has left is not locked.
 * @throws FileError where the lock cannot be looked at.
 */
export function isLocked({ directory, name }: Pick<WriterLock, 'directory' | 'name'>): boolean {
  const path = join(directory, name);
  if (held.has(path)) return false;
  if (!system.hasFlock) return isOpenAnywhere(path);
  return withLockFile(path, false, (fd) => !tryLock(path, fd, 'shared')) ?? false;
}

/**
 * Does work while no process of the agent can open a session: holds the lock that it would take. Agents
 * without locks, and files that are where no agent looks for them, have none to take.
 * @throws FileError: `in-use` where a process has it open; `ENOLCK` where locks cannot be taken here.
 */
export async function holdSession<T>(
  agent: Agent,
  path: string,
  work: () => Promise<T>,
): Promise<T> {
  const found = findHomes(agent, path);
  const locks = found ? listLocks(found).filter(({ directory }) => isDirectory(directory)) : [];
  return locks.reduceRight<() => Promise<T>>(
    (inner, lock) => () => holdLock(lock, path, inner),
    work,
  )();
}

async function holdLock<T>(lock: WriterLock, path: string, work: () => Promise<T>): Promise<T> {
  const name = join(lock.directory, lock.name);
  if (!system.hasFlock) return holdThere(name, path, work);
  const fd = await coordinate(lock, () => take(name, path));
  held.add(name);
  return releaseAfter(
    work,
    () => void held.delete(name),
    // The agent does the same when it ends.
    () => coordinate(lock, () => removeIfSame(name, fd)),
    () => closeSync(fd),
  );
}

/**
 * Holds several files at once: those that have one lock together are held once, and those that have the lock of
 * `owner`, which is held already, not again.
 */
export async function holdSessions<T>(
  agent: Agent,
  owner: string | undefined,
  paths: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const locks = new Map<string, string>();
  for (const path of paths) {
    const [name] = toLockNames(agent, path);
    if (name !== undefined) locks.set(name, path);
  }
  const [own = ''] = owner === undefined ? [] : toLockNames(agent, owner);
  locks.delete(own);
  const all = [...locks].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return all.reduceRight<() => Promise<T>>(
    (inner, [, path]) =>
      () =>
        holdSession(agent, path, inner),
    work,
  )();
}

/** Returns whether any process has the file open, where having it open alone is the lock. */
function isOpenAnywhere(path: string): boolean {
  try {
    const fd = openFree(path);
    if (fd === undefined) return true;
    closeSync(fd);
    return false;
  } catch (error) {
    const problem = toFileError(error, path, 'lock');
    if (problem.code === 'ENOENT') return false;
    throw problem;
  }
}

/** Holds a lock where no process can remove an open file, so there is nothing to coordinate. */
async function holdThere<T>(name: string, path: string, work: () => Promise<T>): Promise<T> {
  const fd = holdAlone(name);
  if (fd === undefined) throw new FileError(path, 'in-use', IS_OPEN);
  held.add(name);
  return releaseAfter(
    work,
    () => void held.delete(name),
    () => closeSync(fd),
  );
}

function isDirectory(path: string): boolean {
  const look = () => statSync(path, { throwIfNoEntry: false });
  return attemptSync(path, look, 'look at')?.isDirectory() === true;
}

function take(name: string, path: string): number {
  const flags = O_RDWR | O_CREAT | O_NONBLOCK | refuseLastLink(name);
  const fd = attemptSync(name, () => openSync(name, flags, 0o644), 'lock');
  const isOurs = (): boolean => tryLock(name, fd, 'exclusive');
  return keepIf(fd, isOurs, () => new FileError(path, 'in-use', IS_OPEN));
}

/** The descriptor, unless something fails or is not so: then it is closed. */
function keepIf(fd: number, isSo: () => boolean, toError: () => Error): number {
  try {
    if (isSo()) return fd;
    throw toError();
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function removeIfSame(name: string, fd: number): void {
  if (statSync(name, { throwIfNoEntry: false }) === undefined) return;
  if (isOneFile(getStampSync(name), getStampSync(fd))) unlinkSync(name);
}

/** Acts while no one makes or removes a lock. */
async function coordinate<T>({ directory, coordinator }: WriterLock, act: () => T): Promise<T> {
  const path = join(directory, coordinator);
  for (const wait of [...WAITS, undefined]) {
    const done = withLockFile(path, true, (fd) =>
      tryLock(path, fd, 'exclusive') ? { result: act() } : undefined,
    );
    if (done) return done.result;
    if (wait !== undefined) await setTimeout(wait);
  }
  throw new FileError(path, 'EBUSY', 'cannot lock: another program keeps holding it');
}

/** Undefined where there is no such file. */
function withLockFile<T>(path: string, makes: boolean, use: (fd: number) => T): T | undefined {
  let fd: number;
  try {
    const flags = makes ? O_RDWR | O_CREAT : O_RDONLY;
    fd = openSync(path, flags | O_NONBLOCK | refuseLastLink(path), 0o644);
  } catch (error) {
    const problem = toFileError(error, path, 'lock');
    if (!makes && problem.code === 'ENOENT') return undefined;
    throw problem;
  }
  return releaseAfterSync(
    () => use(fd),
    () => closeSync(fd),
  );
}
