import { basename, dirname, join, relative, sep } from 'node:path';
import { FileError } from '../../../../errors.ts';
import {
  isOrphanPlace,
  usualSidecars,
  type OrphanDialect,
  type SidecarDialect,
} from '../../../dialect/surroundings/sidecars.ts';
import { listProjectHomes } from '../../../dialect/surroundings/project-homes.ts';
import {
  type HeldIn,
  listUsualSidecars,
  type SharedSidecar,
  type Sidecar,
} from '../../../model/sidecar.ts';
import { toSessionId } from '../format.ts';
import { isClosed, orFileErrorSync } from '../../../jsonl/files/file-error.ts';
import {
  listEntries,
  listReadable,
  listReadableEntries,
} from '../../../jsonl/files/list-directory.ts';
import { findRealPath, hasName } from '../../../jsonl/files/real-path.ts';
import { findProjects } from './surroundings.ts';
import { NEOVATE, PROJECTS } from './default-stores.ts';

/** The logs of requests to models. */
const AGENT_FOLDERS = ['requests'];
const MADE_ID = /^[\da-f]{8}$/;
const MADE_NAME = /^[\da-f]{8}\.jsonl$/;
/** The log of a request to a model, with keys in clear: no command searches it for a session. */
const REQUEST = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.jsonl$/;
/** The names of sidecars, also in a trash, where coppice adds more. */
const SIDECAR = /^[\da-f]{8}(?:\.[\da-f]{12})?(?:\.json)?$|\.jsonl\.(?:rejected|prompts)/;
const ANY_DIGITS = /(?=([\da-f]{8}))/gi;
/** The name of a session, and of a copy, a backup or a compressed one; of other agents, ids are longer. */
const SESSION_OF_BUILD = /(?<![\da-z-])[\da-f]{8}\.jsonl(?![a-z])/i;
const PACKED_SESSION = /^([\da-f]{8})\.jsonl\.\w+$/i;
const FIRST_PART = /[\da-f]{8}/gi;
const WORD = /[\w-]/;

/** Lists the ids of sessions in a text: eight digits that are not a part of another word, as of a UUID. */
function listIds(text: string): readonly string[] {
  const found: string[] = [];
  for (const { 0: id, index } of text.matchAll(FIRST_PART)) {
    const [before = '', after = ''] = [text[index - 1], text[index + id.length]];
    if (!WORD.test(before) && !WORD.test(after)) found.push(id.toLowerCase());
  }
  return found;
}

/** Renamed, a backup, compressed: whatever stands around the digits. */
function listHeldIds(name: string): readonly string[] {
  if (SIDECAR.test(name)) return [];
  return [...name.matchAll(ANY_DIGITS)].flatMap(([, id]) => id?.toLowerCase() ?? []);
}

/** The name of one compressed session; other digits may be a date. */
function listPackedIds(name: string): readonly string[] {
  const id = PACKED_SESSION.exec(name)?.[1];
  return id === undefined ? [] : [id.toLowerCase()];
}

/** Lists what Neovate keeps of a session in other directories of its own. */
function listElsewhere(id: string): readonly SharedSidecar[] {
  const isOfOne = (path: string): boolean => {
    const name = basename(path);
    return MADE_NAME.test(name) || REQUEST.test(name);
  };
  const sharedBy: HeldIn = {
    agent: 'neovate',
    listStores: (root) => listBuilds(root, (name) => SESSION_OF_BUILD.test(name)),
    id,
    listHeldIds,
    listPackedIds,
    listIds,
    isOfOne,
  };
  return [
    { name: `todos/${id}.json`, kind: 'file', sharedBy },
    { name: `file-history/${id}`, kind: 'directory', sharedBy },
  ];
}

/**
 * Lists the store of a directory of Neovate, and those of builds under other product names, in hidden directories of
 * their own: newer releases of all of them keep the files to which a rewind goes back in the directory of Neovate.
 * None has written where the user may not read. `isSession`: whether a name shows that a store is of a build.
 */
function listBuilds(own: string, isSession: (name: string) => boolean): readonly string[] {
  const store = join(own, PROJECTS);
  if (basename(own) !== NEOVATE) return [store];
  const home = dirname(own);
  const hidden = listReadable(home).filter((name) => name.startsWith('.'));
  const stores = hidden.map((name) => join(home, name, PROJECTS)).filter((one) => one !== store);
  return [store, ...stores.filter((one) => isHidden(one) || holdsSession(one, isSession, true))];
}

/** Returns whether what has the name of a store may be on a disk that is not mounted, or does not answer. */
function isHidden(store: string): boolean {
  if (!hasName(store)) return false;
  const found = orFileErrorSync(() => findRealPath(store) && listEntries(store));
  return found === undefined || (found instanceof FileError && !isClosed(found));
}

/** Looks for a session anywhere below a directory, and behind the links in it with `isStore`: to projects elsewhere. */
function holdsSession(
  directory: string,
  isSession: (name: string) => boolean,
  isStore = false,
): boolean {
  const entries = listReadableEntries(directory);
  if (entries.some(({ name }) => isSession(name))) return true;
  return entries.some((entry) => {
    const isHome = entry.isDirectory() || (isStore && entry.isSymbolicLink());
    return isHome && holdsSession(join(directory, entry.name), isSession);
  });
}

const orphans: OrphanDialect = {
  findRoot: (store) => (basename(store) === PROJECTS ? dirname(store) : undefined),
  places: [
    { directory: 'todos', kind: 'file', pattern: /^([\da-f]{8})\.json$/ },
    { directory: 'file-history', kind: 'directory', pattern: /^([\da-f]{8})$/ },
  ],
  listStores: (root) => listBuilds(root, (name) => listHeldIds(name).length > 0),
  listHeldIds,
  listIds,
};

/** The directory of all that Neovate keeps, of a session among its projects. */
function findHome(path: string): string | undefined {
  const projects = findProjects(path);
  return basename(projects) === PROJECTS ? dirname(projects) : undefined;
}

/** Lists the directory of all projects around a session. People have a `projects` of their own. */
export function listStores(path: string): readonly string[] {
  const home = findHome(path);
  return home === undefined || !basename(home).startsWith('.') ? [] : [join(home, PROJECTS)];
}

function listShared(path: string): readonly SharedSidecar[] {
  const id = toSessionId(path);
  return findHome(path) !== undefined && MADE_ID.test(id) ? listElsewhere(id) : [];
}

export const sidecars: SidecarDialect = {
  ...usualSidecars,
  findRoot: (path) => findHome(path) ?? dirname(path),
  list(path) {
    const around = listUsualSidecars(path, AGENT_FOLDERS);
    const home = findHome(path);
    if (home === undefined) return around;
    const own = relative(home, dirname(path)).split(sep).join('/');
    const named = around.map(({ name, unless, ...one }): Sidecar => {
      const rival = unless === undefined ? {} : { unless: `${own}/${unless}` };
      return { ...one, name: `${own}/${name}`, ...rival };
    });
    return [...named, ...listShared(path)];
  },
  listShared,
  isPlainAlone: true,
  agentFolders: AGENT_FOLDERS,
  folderNames: [],
  listFolderHomes: (path) =>
    listStores(path).flatMap((projects) => [projects, ...listProjectHomes(projects)]),
  isOwnDirectory: (path) => isOrphanPlace(path, orphans.places),
  orphans,
};
