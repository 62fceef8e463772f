import { basename, dirname, extname, join } from 'node:path';
import type { Agent } from './agent.ts';

const EXTENSION = /\.jsonl?$/;

/** The name of a session's folder: where agents and `compact` put what belongs to `x.jsonl`. */
export function getFolderName(path: string): string | undefined {
  const name = basename(path);
  const folder = name.replace(EXTENSION, '');
  return folder === name || folder === '' ? undefined : folder;
}

/** The path of a session's folder, be it there or not; undefined for a file that has none by its name. */
export function getFolderPath(path: string): string | undefined {
  const name = getFolderName(path);
  return name === undefined ? undefined : join(dirname(path), name);
}

/** The file that keeps what repairs take out of a session file. */
export function getRejectedPath(path: string): string {
  return `${path}.rejected`;
}

/** The suffix that `migrate` adds to the name of a JSON array once a session is made of it. */
export const MIGRATED_SUFFIX = '.migrated';

/** The homes of an agent in a directory, by what they may share: of each directory, for all roots of a run. */
export type HomesBeside = Map<string, ReadonlyMap<string, readonly string[]>>;

/** The places in which other files of a session may be: copies, backups, compressed ones. */
export interface HeldIn {
  /** The agent of the session: another one may have sessions in the same root, by ids of another form. */
  readonly agent: Agent;
  /** Lists the stores whose sessions have sidecars in a root. @throws FileError if they cannot be listed. */
  readonly listStores: (root: string, known: HomesBeside) => readonly string[];
  readonly id: string;
  /** The ids of the sessions that a file may hold, by its name; none for a sidecar. */
  readonly listHeldIds: (name: string) => readonly string[];
  /** The ids of the sessions that a packed file holds, by its name; none if that may be of others as well. */
  readonly listPackedIds: (name: string) => readonly string[];
  /** Lists all ids in a piece of a file. */
  readonly listIds: (text: string) => readonly string[];
  /**
   * Returns whether the ids in a file say nothing: it belongs to one session, which its name or its first line gives,
   * or the agent writes about sessions there. `path`: relative to its store, with forward slashes.
   */
  readonly isOfOne: (path: string) => boolean;
}

/** Notes in which sessions name what they use of another session. */
export interface NotePlace {
  /** Each directory in it may hold a note. */
  readonly directory: string;
  /** The name of the note, which holds nothing but a name in `directory`. */
  readonly file: string;
}

/** A file or folder that belongs to a session. Of another kind under its name, it does not. */
export interface Sidecar {
  /** Relative to the directory that all names of a session are relative to, with forward slashes. */
  readonly name: string;
  readonly kind: 'directory' | 'file';
  /** The ending of names of which `name` is only the beginning. Between the two there is no slash. */
  readonly ending?: string;
  /**
   * Decides from how a file and the session begin whether a file of such a name belongs to this session. `name`: unless
   * it is being restored, since it has none then.
   */
  readonly belongs?: (start: string, sessionStart: string, name?: string) => boolean;
  /** It belongs to another session where there is a file of this name. */
  readonly unless?: string;
  /** Every file of that session has it, wherever in those stores the file is. */
  readonly sharedBy?: HeldIn;
  /**
   * It belongs to the session whose lines name it, if no other file in the stores that share it has its name without
   * the extension anywhere in its text: what was read says so, and not what is around a session.
   */
  readonly isClaimed?: true;
  /** While a note there names the sidecar, it is kept. */
  readonly notedIn?: NotePlace;
}

/** A sidecar that every file of a session has. */
export type SharedSidecar = Sidecar & Required<Pick<Sidecar, 'sharedBy'>>;

/**
 * The sidecars that a session file may have in its own directory: its folder, and the file of what
 * `validate --fix` took out. Exact names: a neighbour whose name begins alike is another's. So is the
 * file `x` beside `x.jsonl`, which may be a session itself: `x.jsonl` beside `x.jsonl.jsonl`.
 * `agentFolders`: the names, in small letters, of directories that the agent itself puts beside sessions: a
 * session that is named like one does not own it.
 */
export function listUsualSidecars(
  path: string,
  agentFolders: readonly string[] = [],
): readonly Sidecar[] {
  const folder = getFolderName(path);
  const rejected: Sidecar = { name: basename(getRejectedPath(path)), kind: 'file' };
  if (folder === undefined || agentFolders.includes(folder.toLowerCase())) return [rejected];
  const rival = getFolderRival(path);
  const own: Sidecar =
    rival === undefined
      ? { name: folder, kind: 'directory' }
      : { name: folder, kind: 'directory', unless: basename(rival) };
  return [own, rejected];
}

/**
 * Returns whether a name, relative as those of sidecars are, can be that of one of them or of a part of it.
 */
export function isSidecarName(name: string, sidecars: readonly Sidecar[]): boolean {
  return sidecars.some((sidecar) => isNameOf(name, sidecar));
}

/** Returns whether a name can be that of a sidecar, or of a part of it. */
export function isNameOf(name: string, sidecar: Sidecar): boolean {
  if (sidecar.kind === 'directory') {
    return name === sidecar.name || name.startsWith(`${sidecar.name}/`);
  }
  if (sidecar.ending === undefined) return name === sidecar.name;
  return isBetween(name, sidecar.name, sidecar.ending);
}

/** Stands between the name of a sidecar and the id of a sub-agent whose part of it this is. */
export const PART = '-agent-';

/**
 * Finds the name by which the lines of a session claim a sidecar: its own, or that of which it is the part of a
 * sub-agent, as `calm-otter-agent-a1b2.md` is of `calm-otter.md`.
 */
export function findClaim(name: string, claims: readonly string[]): string | undefined {
  return claims.find((claim) => {
    const ending = extname(claim);
    const own = claim.slice(0, claim.length - ending.length);
    return name === claim || isBetween(name, `${own}${PART}`, ending);
  });
}

/** Returns whether a name begins and ends so, and holds no slash between. */
export function isBetween(name: string, beginning: string, ending: string): boolean {
  return (
    name.length >= beginning.length + ending.length &&
    name.startsWith(beginning) &&
    name.endsWith(ending) &&
    !name.slice(beginning.length).includes('/')
  );
}

/**
 * The file that has the folder of `x.json`, where it is there: `x.jsonl`, which agents read.
 * Undefined for a file that shares its folder with no other.
 */
function getFolderRival(path: string): string | undefined {
  return path.endsWith('.json') ? `${path}l` : undefined;
}
