import { basename, dirname, join } from 'node:path';
import {
  getFolderName,
  getFolderPath,
  type HomesBeside,
  listUsualSidecars,
  type NotePlace,
  type SharedSidecar,
  type Sidecar,
} from '../../model/sidecar.ts';

/**
 * The capability to find the sidecars of sessions. Without it, coppice does not know the sidecars of a
 * session: such sessions are neither removed nor archived nor restored.
 */
export interface SidecarDialect {
  /** The directory that names are relative to: that of a session file, or one above. */
  findRoot(path: string): string;
  /**
   * The sidecars that a session file may have. `parts`: the names of the other files of the session, relative
   * to the root.
   */
  list(path: string, parts?: readonly string[]): readonly Sidecar[];
  /** Lists those that every file of a session has; absent where each belongs to one file. */
  listShared?(path: string): readonly SharedSidecar[];
  /**
   * Lists those whose names alone say that they are of the session. Present where the names of all sidecars begin
   * with that of the session file without its extension, and are in its directory.
   */
  readonly listBeside?: (path: string) => readonly Pick<Sidecar, 'name' | 'kind'>[];
  /**
   * Returns whether a name, relative to the root, can be that of another file of a session. Absent where each
   * session is one file.
   */
  isPart?(name: string): boolean;
  /**
   * Returns whether the agent itself has named the file of a session with this id, so that the folder of that
   * name is surely the session's.
   */
  isMade(path: string, id: string): boolean;
  /**
   * True if most sessions have no files outside of their directory. An archive then names the files of these relative
   * to that directory, and restores them into a store of any name.
   */
  readonly isPlainAlone?: true;
  /**
   * Lists further directories that may hold the folder of a session: somebody may have moved the session file without
   * it.
   */
  listFolderHomes?(path: string, folder: string): readonly string[];
  /** See `listUsualSidecars`. */
  readonly agentFolders?: readonly string[];
  /**
   * The names that the agent gives to what it puts into the folder of a session, beside logs and images. Absent
   * where extensions of the agent may put anything there.
   */
  readonly folderNames?: readonly string[];
  /** The words after which lines of the agent name a session file that the model may read. */
  readonly pointsBy?: string;
  /**
   * Returns whether a directory is a session's by its name and that of the directory around it, wherever the
   * file of the session is. Absent where only the file shows that.
   */
  isOwnDirectory?(path: string): boolean;
  /** Absent where sidecars do not say which session they are of. */
  readonly orphans?: OrphanDialect;
}

/** The places of sidecars whose session may be gone. */
export interface OrphanDialect {
  /** The directory that places are relative to; undefined for a store that is not laid out so. */
  findRoot(store: string): string | undefined;
  readonly places: readonly OrphanPlace[];
  /** Lists the stores whose sessions have sidecars in a root. @throws FileError if they cannot be listed. */
  readonly listStores: (root: string, known: HomesBeside) => readonly string[];
  /** See `HeldIn.listHeldIds`. */
  readonly listHeldIds: (name: string) => readonly string[];
  /** Lists all ids in a text, in small letters: a name, or a piece of a file. */
  readonly listIds: (text: string) => readonly string[];
}

export interface OrphanPlace {
  readonly directory: string;
  /** They are in the directories of that directory. */
  readonly inEach?: boolean;
  readonly kind: 'directory' | 'file';
  /** The pattern of their names; the first group is the id of the session, if the name has it. */
  readonly pattern: RegExp;
  /** See `Sidecar.notedIn`. */
  readonly notedIn?: NotePlace;
  /** The id, by how a file begins. */
  readonly readId?: (start: string) => string | undefined;
}

/**
 * Returns whether a directory is one of those in which the sidecars of a session are, in a hidden directory of
 * its agent: other programs have a `tasks/<uuid>`, too.
 */
export function isOrphanPlace(path: string, places: readonly OrphanPlace[]): boolean {
  const home = dirname(path);
  return places.some(({ directory, inEach, kind, pattern }) => {
    const place = inEach ? dirname(home) : home;
    const isPlace = basename(place) === directory && basename(dirname(place)).startsWith('.');
    return kind === 'directory' && isPlace && pattern.test(basename(path));
  });
}

/** The prefix that agents put before the id of a session in the name of its file. */
const TIME_PREFIX = /^\d{4}-\d\d-\d\dT[\d-]+Z?_/;
/** An id that a machine has made: no name that a person gives to a directory, such as `2026-feb`. */
const MADE_ID = /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?=.*\d)(?=.*[a-f])[\da-f]{8,})$/i;

/** Sidecars of agents that keep everything in the directory of the session file. */
export const usualSidecars: SidecarDialect = {
  findRoot: dirname,
  list: (path) => listUsualSidecars(path),
  isMade(path, id) {
    const folder = getFolderName(path) ?? basename(path);
    const isStamped = TIME_PREFIX.test(folder);
    return isStamped ? folder.replace(TIME_PREFIX, '') === id : folder === id && MADE_ID.test(id);
  },
};

/** Returns whether a session file, by its name, has a folder beside it. */
export function hasFolder(path: string, dialect: SidecarDialect): boolean {
  const folder = getFolderPath(path);
  if (folder === undefined) return false;
  const root = dialect.findRoot(path);
  const isHere = ({ name, kind }: Sidecar): boolean =>
    kind === 'directory' && join(root, name) === folder;
  return dialect.list(path).some(isHere);
}

/** Returns the reason why sessions of an agent cannot be removed or restored; undefined if they can. */
export function describeNoSidecars(dialect: {
  readonly agent: string;
  readonly sidecars?: SidecarDialect | undefined;
}): string | undefined {
  return dialect.sidecars
    ? undefined
    : `is of ${dialect.agent}, and coppice does not know the sidecars of its sessions`;
}
