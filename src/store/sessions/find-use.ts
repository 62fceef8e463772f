import { basename, dirname, join } from 'node:path';
import { dialects } from '../../session/agents/index.ts';
import type { AgentWorld } from '../../session/dialect/surroundings/world.ts';
import type { OpenNote, OpenNotes } from '../../session/dialect/surroundings/liveness.ts';
import { type JsonObject, parseJsonObject } from '../../session/jsonl/edit/json.ts';
import { FileError } from '../../errors.ts';
import { isSystemFailure, toFileError } from '../../session/jsonl/files/file-error.ts';
import { toDateMs } from '../../session/jsonl/files/identity/file-stamp.ts';
import { isRunning } from '../../session/jsonl/files/process-place.ts';
import type { Agent } from '../../session/model/agent.ts';
import {
  describeUse,
  findUse,
  type GraceTerms,
  type Holder,
  type LastUse,
  NOT_HELD,
} from '../../session/model/in-use.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import {
  findAllHomes,
  findDetour,
  haveOneLock,
  listLocks,
  type LivenessPlaces,
} from '../lock/find-homes.ts';
import { findSubagentWrite } from './subagent-use.ts';
import type { FoundFile } from '../select/found-file.ts';
import { isLocked } from '../lock/hold-session.ts';
import { isLeased } from '../lock/leases.ts';
import { listNoteNames } from '../files/read-note-text.ts';
import { readRegularFile } from '../files/read-regular-file.ts';
import { statIfThere } from '../files/stat-file.ts';

/** The terms on which a session counts as in use. */
export interface UseTerms extends GraceTerms {
  readonly world: AgentWorld;
}

/**
 * Returns the reason why a session must not be changed now: it is in use, or was reached past a link by
 * which its agent finds it. Commands that change a session in place ask here; prune reports a link beside its other reasons.
 * @throws FileError as `findUseReason`.
 */
export function findRefusal(session: LastUse, terms: UseTerms): string | undefined {
  const { agent, path } = session;
  return findUseReason(session, terms) ?? describeDetour(agent, path, terms.world);
}

/** Returns the reason against a session that was named by a path around which its agent keeps nothing of it. */
export function describeDetour(agent: Agent, path: string, world: AgentWorld): string | undefined {
  const alias = findDetour(agent, path, world);
  return alias && describeAlias(alias);
}

/** Describes the detour of one of many files. */
export type DescribeDetour = (agent: Agent, file: FoundFile) => string | undefined;

/** Makes a function that describes detours, and looks at each directory once for each agent. */
export function createDetourFinder(world: AgentWorld): DescribeDetour {
  const known = new Map<string, string | null>();
  return (agent, { path, explicit, linked }) => {
    if (explicit || linked) return describeDetour(agent, path, world);
    // A file that was found in its directory is not a link: its detour is that of the directory.
    const key = `${agent}\0${dirname(path)}`;
    let detour = known.get(key);
    if (detour === undefined) {
      const alias = findDetour(agent, path, world);
      detour = alias === undefined ? null : dirname(alias);
      known.set(key, detour);
    }
    return detour === null ? undefined : describeAlias(join(detour, basename(path)));
  };
}

/** `alias`: the path by which the agent of a session finds it. */
export function describeAlias(alias: string): string {
  return `its agent reaches it by another path; name it as ${alias}`;
}

/**
 * Returns the reason why a session is in use: its agent has it open, it or one of its sub-agents was used within the
 * grace time, or its times make no sense.
 * @throws FileError when notes or locks of the agent, or directories of sub-agents, cannot be looked at.
 */
export function findUseReason(session: LastUse, terms: UseTerms): string | undefined {
  const use = describeUse(session, findHolder(session.agent, session.path, terms.world), terms);
  if (use !== undefined) return use;
  const written = findSubagentWrite(session, terms.now - terms.grace);
  const reason = findUse(written, NOT_HELD, terms);
  return reason && `a log of its sub-agents ${reason}`;
}

/**
 * Finds the use of a file beside a session that we hold: if both have one lock, only its time is
 * checked.
 */
export function findUseBeside(
  owner: Pick<SessionSummary, 'agent' | 'path'>,
  path: string,
  terms: UseTerms,
): string | undefined {
  const { agent } = owner;
  const time = statIfThere(path)?.mtimeMs ?? terms.now;
  const modified = new Date(toDateMs(time)).toISOString();
  const session = { agent, path, modified, fileModified: modified };
  const isOurs = haveOneLock(agent, owner.path, path);
  return describeUse(session, isOurs ? NOT_HELD : findHolder(agent, path, terms.world), terms);
}

/** A lock says nothing of when it was taken. */
const HELD: Holder = { isOpen: true, updatedAt: 0 };

/**
 * Returns whether a process of its agent has a session open, and when one last noted that.
 * @throws FileError as `findUseReason`.
 */
export function findHolder(agent: Agent, path: string, world: AgentWorld): Holder {
  if (isLeased(agent, path, world)) return HELD;
  const places = findAllHomes(agent, path, world);
  if (!places) return NOT_HELD;
  if (listLocks(places).some(isLocked)) return HELD;
  return places.liveness.notes ? findNoted(places, places.liveness.notes) : NOT_HELD;
}

/**
 * Returns whether a process of its agent has noted that it has a session open, for a caller that holds the lock of
 * the session.
 * @throws FileError as `findUseReason`.
 */
export function isNotedOpen(agent: Agent, path: string, world: AgentWorld): boolean {
  if (isLeased(agent, path, world)) return true;
  const places = findAllHomes(agent, path, world);
  const notes = places?.liveness.notes;
  return places !== undefined && notes !== undefined && findNoted(places, notes).isOpen;
}

/** Notes, beside a store, of processes that are there no longer. */
export function listStaleNotes(
  store: string,
): readonly { readonly agent: Agent; readonly path: string; readonly pid: number }[] {
  return dialects.flatMap(({ agent, liveness }) => {
    const notes = liveness?.notes;
    const home = liveness?.findHome(join(store, '-', 'x.jsonl'));
    if (!notes || home === undefined) return [];
    const stale = readNotes(home, notes).filter(({ pid }) => !isRunning(pid));
    return stale.map(({ path, pid }) => ({ agent, path, pid }));
  });
}

/**
 * A process of an agent that has any session open, and its home: one where the session at a path may be open, or of
 * `others`.
 */
export function findLiveProcess(
  agent: Agent,
  path: string,
  world: AgentWorld,
  others: readonly string[],
): { readonly pid: number; readonly home: string } | undefined {
  const { homes, liveness } = findAllHomes(agent, path, world) ?? { homes: [] };
  const notes = liveness?.notes;
  if (!notes) return undefined;
  const found = [...new Set([...homes, ...others])].flatMap((home) =>
    readNotes(home, notes).map(({ pid }) => ({ pid, home })),
  );
  return found.find(({ pid }) => isRunning(pid));
}

function findNoted({ homes, paths }: LivenessPlaces, notes: OpenNotes): Holder {
  const ids = new Set(paths.map((path) => notes.toId(path)));
  const own = homes
    .flatMap((home) => readNotes(home, notes))
    .filter(({ sessionId }) => sessionId === null || ids.has(sessionId));
  const times = own.map(({ sessionId, updatedAt }) => (sessionId === null ? 0 : updatedAt));
  return { isOpen: own.some(({ pid }) => isRunning(pid)), updatedAt: Math.max(0, ...times) };
}

interface FoundNote extends OpenNote {
  readonly path: string;
}

/** @throws FileError if the directory, or the note of a process that lives, cannot be read. */
function readNotes(home: string, notes: OpenNotes): readonly FoundNote[] {
  const directory = notes.findDirectory(home);
  return listNoteNames(directory).flatMap((name) => {
    const path = join(directory, name);
    const content = readJson(path);
    const isUnread = content instanceof FileError;
    const note = notes.parse(name, isUnread ? undefined : content);
    if (isUnread && note && isRunning(note.pid)) throw content;
    return note ? [{ ...note, path }] : [];
  });
}

/** A note has some hundred bytes. */
const MAX_NOTE_BYTES = 1024 * 1024;

/** Undefined for what is not a file with a JSON object; returns an error of the system. */
function readJson(path: string): JsonObject | FileError | undefined {
  if (!path.endsWith('.json')) return undefined;
  try {
    return parseJsonObject(readRegularFile(path, MAX_NOTE_BYTES).toString('utf8'));
  } catch (error) {
    const problem = toFileError(error, path, 'read');
    return isSystemFailure(problem) ? problem : undefined;
  }
}
