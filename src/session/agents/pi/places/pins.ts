import { basename, dirname, join, resolve } from 'node:path';
import { FileError } from '../../../../errors.ts';
import {
  type NoteFiles,
  PINNED,
  type PinDialect,
  readPinnedIds,
} from '../../../dialect/surroundings/pins.ts';
import type { AgentWorld } from '../../../dialect/surroundings/world.ts';
import { listAbove } from '../../../model/paths.ts';
import { orFileErrorSync } from '../../../jsonl/files/file-error.ts';
import { toDirectoryKey } from '../../../jsonl/files/identity/same-file.ts';
import { listNames } from '../../../jsonl/files/list-directory.ts';
import { findRealPath } from '../../../jsonl/files/real-path.ts';

const LIST = 'session-pins.json';
const PROFILES = 'profiles';
const SESSIONS = 'sessions';

/**
 * The sessions that a user of oh-my-pi has pinned (`src/session/session-pins.ts` of 18.3.4), in the agent's own
 * directory: beside all sessions, unless these are in a data directory by XDG (of the same profile: `DirResolver` of
 * pi-utils 18.2.9), or in one that the user has named (`--session-dir`, PI_CODING_AGENT_SESSION_DIR), whatever profile
 * that is of. Other paths may lead there by links or mounts, as where pi and oh-my-pi share their sessions.
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

function listProfiles(place: string, files: NoteFiles): readonly string[] {
  return files.listNames(place).map((name) => join(place, name, 'agent', LIST));
}

function listAround(directory: string, world: AgentWorld): readonly string[] {
  const above = dirname(directory);
  // A session may also be in no directory of a project.
  const store = [above, directory].find((one) => basename(one) === SESSIONS);
  const data = dirname(store ?? above);
  const beside = store === undefined ? [] : [join(data, LIST)];
  const isOwn = store !== undefined && isAgentDirectory(data);
  return [...beside, ...(isOwn ? listSharing(directory, world) : listOwn(data, world))];
}

/** Returns whether a directory is laid out as the agent's own: `~/.omp/agent`, also of another name or a profile. */
function isAgentDirectory(data: string): boolean {
  const root = dirname(data);
  const isRoot = basename(root).startsWith('.') || basename(dirname(root)) === PROFILES;
  return basename(data) === 'agent' && isRoot;
}

/** Lists the user's lists of which the sessions are those of a directory, by a link or a mount. */
function listSharing(directory: string, world: AgentWorld): readonly string[] {
  const keys = new Set([directory, ...listAbove(directory)].map(toDirectoryKey));
  return listStores(world).flatMap(({ store, lists }) =>
    store === undefined || keys.has(toDirectoryKey(store)) ? lists : [],
  );
}

interface OwnStore {
  /** Undefined where that is not known. */
  readonly store: string | undefined;
  readonly lists: readonly string[];
}

/** Lists where oh-my-pi itself keeps sessions, with the lists that may pin them. */
function listStores(world: AgentWorld): readonly OwnStore[] {
  const { XDG_DATA_HOME: named = '' } = world.env;
  const data = join(named || join(world.home, '.local/share'), 'omp');
  const toStores = (homes: readonly string[], also: string): readonly OwnStore[] => {
    const lists = homes.map((home) => join(home, LIST));
    return [...homes, also].map((home) => ({ store: join(home, SESSIONS), lists }));
  };
  const roots = listRoots(world);
  const places = [...roots, data].map((root) => join(root, PROFILES));
  const found = places.map((place) => ({ place, own: orFileErrorSync(() => listNames(place)) }));
  const names = new Set(found.flatMap(({ own }) => (own instanceof FileError ? [] : own)));
  // Read as a list, such a directory fails again, and keeps all that may be pinned there.
  const unread = found.filter(({ own }) => own instanceof FileError);
  const ofProfiles = [...names].flatMap((name) =>
    toStores(
      roots.map((root) => join(root, PROFILES, name, 'agent')),
      join(data, PROFILES, name),
    ),
  );
  const unknown = unread.map(({ place }) => ({ store: undefined, lists: [place] }));
  return [...toStores(listAgents(world), data), ...ofProfiles, ...unknown];
}

/** Lists the places for a data directory: `<data>/omp/profiles/<name>`, or any other. */
function listOwn(data: string, world: AgentWorld): readonly string[] {
  const roots = listRoots(world);
  const profiles = dirname(data);
  const isProfile = basename(profiles) === PROFILES && basename(dirname(profiles)) === 'omp';
  if (isProfile) return roots.map((root) => join(root, PROFILES, basename(data), 'agent', LIST));
  const all = listAgents(world).map((agent) => join(agent, LIST));
  return [...all, ...roots.map((root) => join(root, PROFILES))];
}

/** Lists the directories of oh-my-pi that hold its profiles. */
function listRoots({ env, home }: AgentWorld): readonly string[] {
  const { PI_CONFIG_DIR: own = '' } = env;
  return [...new Set([join(home, own || '.omp'), join(home, '.omp')])];
}

/** Lists the agent's own directories without a profile. */
function listAgents(world: AgentWorld): readonly string[] {
  const { PI_CODING_AGENT_DIR: named = '' } = world.env;
  const agents = listRoots(world).map((root) => join(root, 'agent'));
  return named === '' ? agents : [resolve(world.cwd, named), ...agents];
}
