import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { dialects, getDialect } from '../../session/agents/index.ts';
import type { OpenNote, OpenNotes } from '../../session/dialect/surroundings/liveness.ts';
import { isObject, type JsonObject } from '../../session/jsonl/edit/json.ts';
import { toFileError } from '../../session/jsonl/files/file-error.ts';
import type { Agent } from '../../session/model/agent.ts';
import { describeUse, type Holder, NOT_HELD } from '../../session/model/in-use.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { isLocked } from '../lock/hold-session.ts';
import { readRegularFile } from './files/read-regular-file.ts';
import { statFile } from './files/stat-file.ts';

/**
 * Why a session must be left unchanged for now: its agent has it open, it was used within the grace
 * time, or its times make no sense. Every command that changes a session asks here; `grace` and `now` in
 * milliseconds.
 * @throws FileError when notes or locks of the agent cannot be looked at.
 */
export function findUseReason(
  session: Pick<SessionSummary, 'agent' | 'path' | 'modified' | 'fileModified'>,
  grace: number,
  now: number,
): string | undefined {
  return describeUse(session, grace, now, findHolder(session.agent, session.path));
}

/** The same for a file beside a session that we hold: where both have one lock, only its time is asked. */
export function findUseBeside(
  owner: Pick<SessionSummary, 'agent' | 'path'>,
  path: string,
  grace: number,
  now: number,
): string | undefined {
  const { agent } = owner;
  const modified = (statFile(path)?.mtime ?? new Date(now)).toISOString();
  const session = { agent, path, modified, fileModified: modified };
  const { liveness } = getDialect(agent);
  const [own, lock] = [owner.path, path].map((one) => liveness?.findLock?.(one)?.name);
  const isOurs = own !== undefined && own === lock;
  return describeUse(session, grace, now, isOurs ? NOT_HELD : findHolder(agent, path));
}

/**
 * Whether a process of its agent has a session open, and when one last noted that.
 * @throws FileError as `findUseReason`.
 */
export function findHolder(agent: Agent, path: string): Holder {
  const { liveness } = getDialect(agent);
  const lock = liveness?.findLock?.(path);
  if (lock && isLocked(lock)) return { isOpen: true, updatedAt: 0 };
  return liveness?.notes ? findNoted(path, liveness.notes) : NOT_HELD;
}

/** Notes, beside a store, of processes that are there no longer. */
export function listStaleNotes(
  store: string,
): readonly { readonly agent: Agent; readonly path: string; readonly pid: number }[] {
  return dialects.flatMap(({ agent, liveness }) => {
    const notes = liveness?.notes;
    const directory = notes?.find(join(store, '-', 'x.jsonl'))?.directory;
    if (!notes || directory === undefined) return [];
    const stale = readNotes(directory, notes).filter(({ pid }) => !isAlive(pid));
    return stale.map(({ path, pid }) => ({ agent, path, pid }));
  });
}

/** A process of an agent that has any session open where the one at a path is. */
export function findLiveProcess(agent: Agent, path: string): number | undefined {
  const notes = getDialect(agent).liveness?.notes;
  const place = notes?.find(path);
  if (!notes || !place) return undefined;
  return readNotes(place.directory, notes).find(({ pid }) => isAlive(pid))?.pid;
}

function findNoted(path: string, notes: OpenNotes): Holder {
  const place = notes.find(path);
  if (!place) return NOT_HELD;
  const own = readNotes(place.directory, notes).filter(
    ({ sessionId }) => sessionId === null || sessionId === place.sessionId,
  );
  const times = own.map(({ sessionId, updatedAt }) => (sessionId === null ? 0 : updatedAt));
  return { isOpen: own.some(({ pid }) => isAlive(pid)), updatedAt: Math.max(0, ...times) };
}

interface FoundNote extends OpenNote {
  readonly path: string;
}

function readNotes(directory: string, notes: OpenNotes): readonly FoundNote[] {
  return listNames(directory).flatMap((name) => {
    const path = join(directory, name);
    const note = notes.parse(name, readJson(path));
    return note ? [{ ...note, path }] : [];
  });
}

function listNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    const problem = toFileError(error, directory, 'read the directory');
    if (problem.code === 'ENOENT' || problem.code === 'ENOTDIR') return [];
    throw problem;
  }
}

/** A note has some hundred bytes. */
const MAX_NOTE_BYTES = 1024 * 1024;

/** Undefined for what cannot be read, is gone by now, or is not a JSON object. */
function readJson(path: string): JsonObject | undefined {
  if (!path.endsWith('.json')) return undefined;
  try {
    const value: unknown = JSON.parse(readRegularFile(path, MAX_NOTE_BYTES).toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether there is a process; one of another user counts. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return toFileError(error, String(pid), 'look up').code !== 'ESRCH';
  }
}
