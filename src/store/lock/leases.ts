import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { getDialect } from '../../session/agents/index.ts';
import type { AgentWorld } from '../../session/dialect/surroundings/world.ts';
import { isMissing, toFileError } from '../../session/jsonl/files/file-error.ts';
import type { Agent } from '../../session/model/agent.ts';
import { getRealPath, isGone, orPath } from '../files/stat-file.ts';
import { isLocked } from './hold-session.ts';
import { hashXxh64 } from './xxh64.ts';

/**
 * Returns whether a process of the agent has a lease on a session, because it has written to it and may go on.
 * @throws FileError where the locks cannot be looked at.
 */
export function isLeased(agent: Agent, path: string, world: AgentWorld): boolean {
  const { leases } = getDialect(agent);
  if (!leases) return false;
  const sockets = readSockets();
  // Most of the time no process is there: to look further for thousands of sessions takes a second or more.
  if (sockets?.includes(`@${SOCKET}`) === false) return false;
  const homes = leases.listHomes(world).filter((home) => !isGone(home));
  const names = new Set([path, orPath(getRealPath, path)]);
  const locks = homes.flatMap((home) => [...names].flatMap((name) => leases.listLocks(home, name)));
  return [...new Set(locks)].some((lock) =>
    sockets === undefined
      ? isLocked({ directory: dirname(lock), name: basename(lock) })
      : sockets.includes(`@${toSocketName(lock)}`),
  );
}

const SOCKETS = '/proc/net/unix';

/** The list that was read in this turn of the event loop, in which thousands of sessions may be looked up. */
let readInTurn: string | undefined;

/** The list of the sockets on Linux, whose names no file has to hold; undefined on other systems. */
function readSockets(): string | undefined {
  if (readInTurn !== undefined) return readInTurn;
  try {
    readInTurn = readFileSync(SOCKETS, 'latin1');
    setImmediate(() => {
      readInTurn = undefined;
    });
    return readInTurn;
  } catch (error) {
    const problem = toFileError(error, SOCKETS, 'read');
    if (isMissing(problem)) return undefined;
    throw problem;
  }
}

/** The beginning of the name of every such socket. */
const SOCKET = 'omp-file-lock-';
/** The seeds of the two halves of a name. */
const SEEDS = [0x4f4d502d4c4f434bn, 0x50492d46494c454cn] as const;

/** Makes the name of the socket that stands for a lock on Linux (`memory_lock_name` of pi-natives 18.5). */
export function toSocketName(lock: string): string {
  const bytes = Buffer.from(lock);
  const halves = SEEDS.map((seed) => hashXxh64(bytes, seed).toString(16).padStart(16, '0'));
  return `${SOCKET}${halves.join('')}`;
}
