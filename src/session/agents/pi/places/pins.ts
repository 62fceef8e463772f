import { basename, dirname, join, resolve } from 'node:path';
import { FileError } from '../../../../errors.ts';
import {
  type NoteFiles,
  PINNED,
  type PinDialect,
  readPinnedIds,
} from '../../../dialect/surroundings/pins.ts';
import type { AgentWorld } from '../../../dialect/surroundings/world.ts';
import { orFileErrorSync } from '../../../jsonl/files/file-error.ts';
import { findRealPath } from '../../../jsonl/files/real-path.ts';

const LIST = 'session-pins.json';
const PROFILES = 'profiles';

/**
 * The sessions that a user of oh-my-pi has pinned (`src/session/session-pins.ts` of 18.3.4), in the agent's own
 * directory: beside all sessions, unless these are in a data directory by XDG (of the same profile: `DirResolver` of
 * pi-utils 18.2.9), or in one that the user has named (`--session-dir`, PI_CODING_AGENT_SESSION_DIR), whatever profile
 * that is of. Other paths may lead there by links, as where pi and oh-my-pi share their sessions.
 */
export const pins: PinDialect = {
  listPlaces(directory, world) {
    const real = orFileErrorSync(() => findRealPath(directory) ?? directory);
    const paths = new Set([directory, real instanceof FileError ? directory : real]);
    return [...new Set([...paths].flatMap((path) => listAround(path, world)))];
  },
  read(place, files) {
    const lists = basename(place) === PROFILES ? listProfiles(place, files) : [place];
    const ids = new Set(lists.flatMap((list) => [...readPinnedIds(list, files)]));
    return (id) => (ids.has(id) ? { pin: PINNED } : {});
  },
};

function listProfiles(place: string, { listNames }: NoteFiles): readonly string[] {
  return listNames(place).map((name) => join(place, name, 'agent', LIST));
}

function listAround(directory: string, world: AgentWorld): readonly string[] {
  const above = dirname(directory);
  // A session may also be in no directory of a project.
  const store = [above, directory].find((one) => basename(one) === 'sessions');
  const data = dirname(store ?? above);
  const beside = store === undefined ? [] : [join(data, LIST)];
  const isOwn = store !== undefined && isAgentDirectory(data);
  return isOwn ? beside : [...beside, ...listOwn(data, world)];
}

/** Returns whether a directory is laid out as the agent's own: `~/.omp/agent`, also of another name or a profile. */
function isAgentDirectory(data: string): boolean {
  const root = dirname(data);
  const isRoot = basename(root).startsWith('.') || basename(dirname(root)) === PROFILES;
  return basename(data) === 'agent' && isRoot;
}

/** Lists the places for a data directory: `<data>/omp/profiles/<name>`, or any other. */
function listOwn(data: string, { env, home, cwd }: AgentWorld): readonly string[] {
  const { PI_CONFIG_DIR: own = '', PI_CODING_AGENT_DIR: named = '' } = env;
  const roots = [...new Set([join(home, own || '.omp'), join(home, '.omp')])];
  const profiles = dirname(data);
  const isProfile = basename(profiles) === PROFILES && basename(dirname(profiles)) === 'omp';
  if (isProfile) return roots.map((root) => join(root, PROFILES, basename(data), 'agent', LIST));
  const agents = roots.map((root) => join(root, 'agent'));
  const all = named === '' ? agents : [resolve(cwd, named), ...agents];
  return [...all.map((agent) => join(agent, LIST)), ...roots.map((root) => join(root, PROFILES))];
}
