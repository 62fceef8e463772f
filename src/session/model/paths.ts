import { basename, dirname, isAbsolute, join, posix, resolve, sep, win32 } from 'node:path';

export const NO_PATHS: ReadonlySet<string> = new Set();

/** The kind of system that an absolute path comes from. A session may come from another machine. */
export type PathSystem = 'posix' | 'windows';

const OWN_SYSTEM: PathSystem = sep === '/' ? 'posix' : 'windows';
/** The prefix of a long path of Windows: `\\?\C:\x` is `C:\x`, `\\?\UNC\server\share` is `\\server\share`. */
const LONG_PREFIX = /^\\\\[?.]\\(UNC\\)?/i;
const DRIVE_OR_SHARE = /^(?:[a-z]:[/\\]|\\\\[^/\\]+[/\\][^/\\]+)/i;

/** The system of an absolute path; undefined for one that is relative, begins with `~` or is empty. */
export function findPathSystem(path: string): PathSystem | undefined {
  if (path.startsWith('/')) return 'posix';
  return DRIVE_OR_SHARE.test(toShort(path)) ? 'windows' : undefined;
}

/** Returns whether this machine can look up a path: an absolute one of its own system. */
export function isOwnPath(path: string): boolean {
  return findPathSystem(path) === OWN_SYSTEM && isAbsolute(path);
}

/**
 * Returns whether a path may stand for several: for each byte of a name that is not UTF-8, agents and Node write
 * U+FFFD. Other programs write half of a surrogate pair, for which Node can only ask by U+FFFD.
 */
export function isAmbiguous(path: string): boolean {
  return path.includes('\uFFFD') || /\p{Surrogate}/u.test(path);
}

/** A path as a user writes it, with the home directory for `~`. */
export function expandHome(path: string, home: string): string {
  const isHome = path === '~' || path.startsWith('~/') || path.startsWith(`~${sep}`);
  return isHome ? join(home, path.slice(1)) : path;
}

/** A directory that a user named: absolute of any system as it is, or else below `cwd`. */
export function toDirectory(path: string, cwd: string): string {
  const system = findPathSystem(path);
  return system === undefined || system === OWN_SYSTEM ? resolve(cwd, path) : path;
}

/** Lists the directories that a path is in, the innermost first: up to the root, or to `.` of a relative path. */
export function* listAbove(path: string): Generator<string> {
  let at = path;
  do {
    at = dirname(at);
    yield at;
  } while (at !== dirname(at));
}

/**
 * The names that lead from a directory to a path in it; none for the directory itself, undefined for
 * a path elsewhere. Compares both as they are, absolute and of one system: those of Windows without
 * regard to case or the kind of slash.
 */
export function findNamesBelow(path: string, directory: string): readonly string[] | undefined {
  const system = findPathSystem(path);
  if (system === undefined || system !== findPathSystem(directory)) return undefined;
  const [names, above] = [toNames(path, system), toNames(directory, system)];
  const isSame = (a: string, b: string | undefined): boolean =>
    a === b || (system === 'windows' && a.toLowerCase() === b?.toLowerCase());
  return above.every((name, index) => isSame(name, names[index]))
    ? names.slice(above.length)
    : undefined;
}

/** Returns whether a path is a directory or is below it. */
export function isInside(path: string, directory: string): boolean {
  return findNamesBelow(path, directory) !== undefined;
}

/** Returns whether a path is below a directory, and is not the directory itself. */
export function isBelow(path: string, directory: string): boolean {
  return (findNamesBelow(path, directory)?.length ?? 0) > 0;
}

/** A path below a directory, in the way of its system. */
export function joinNames(directory: string, names: readonly string[]): string {
  if (names.length === 0) return directory;
  const separator = findPathSystem(directory) === 'windows' ? '\\' : '/';
  return directory.replace(/[/\\]$/, '') + separator + names.join(separator);
}

/** A directory that has another path now; both absolute. */
export interface PathMove {
  readonly from: string;
  readonly to: string;
  /** The names in it that move; all unless given. */
  readonly only?: ReadonlySet<string>;
}

/** Returns where a path is after the first move that fits; undefined for a path elsewhere. */
export function movePath(path: string, moves: readonly PathMove[]): string | undefined {
  for (const { from, to, only } of moves) {
    const names = findNamesBelow(path, from);
    if (names && (!only || only.has(names[0] ?? ''))) return joinNames(to, names);
  }
  return undefined;
}

/** Returns whether a path is absolute, of whatever system, and has no detours in it. */
export function isNormalPath(path: string): boolean {
  const system = findPathSystem(path);
  if (system === undefined) return false;
  return (system === 'windows' ? win32 : posix).normalize(path) === path;
}

/**
 * A path of another system with its names in the form of this one, to ask how they lie to each other;
 * it leads nowhere.
 */
export function toOwnForm(path: string): string {
  const system = findPathSystem(path);
  if (system === undefined || system === OWN_SYSTEM) return path;
  return (OWN_SYSTEM === 'posix' ? '/' : 'C:\\') + toNames(path, system).join(sep);
}

/** Windows takes them for devices, with any ending, or for something else than a part of a name. */
const RESERVED =
  /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$) *(?:\.|$)|[<>:"|?*\\/]|[. ]$/i;

const CONTROL = /\p{Cc}/u;

/** Returns whether a file or a directory can have a name: not each one of another system. */
export function isFitName(name: string, system: PathSystem = OWN_SYSTEM): boolean {
  if (system === 'posix') return !/[\0/]/.test(name);
  return !RESERVED.test(name) && !CONTROL.test(name);
}

/** Root and names; the root of a POSIX path is none. */
function toNames(path: string, system: PathSystem): readonly string[] {
  if (system === 'posix') return posix.normalize(path).split('/').filter(Boolean);
  return win32.normalize(toShort(path)).split('\\').filter(Boolean);
}

function toShort(path: string): string {
  return path.replace(LONG_PREFIX, (_, unc: string | undefined) => (unc ? '\\\\' : ''));
}

/**
 * Maps a file to a path below another directory: relative to the innermost of `roots` that holds it, or by
 * its name alone.
 */
export function mirrorPath(path: string, roots: readonly string[], directory: string): string {
  const below = roots.flatMap((root) => {
    const names = findNamesBelow(path, root);
    return names?.length ? [names] : [];
  });
  const [names] = below.toSorted((a, b) => a.length - b.length);
  return join(directory, ...(names ?? [basename(path)]));
}
