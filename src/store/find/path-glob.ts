import { posix, win32 } from 'node:path';
import { UsageError } from '../../errors.ts';
import { findPathSystem } from '../../session/model/paths.ts';

/** The most characters: more than a person writes; what a stranger writes costs no more than these allow. */
const MAX_LENGTH = 300;
const MAX_GLOBS = 100;
const ANYWHERE = '**/';

/** `*`: within a name. `dirs`: any directories, or none. `all`: whatever is left. */
type Token = string | { readonly any: '?' | '*' | 'dirs' | 'all' };

/**
 * A glob over absolute paths, from one as it was written: relative to `directory`, or to `home` where
 * it begins with `~/`, and fits in any directory where it begins with `ANYWHERE`: sessions are seldom
 * below the working directory. What is special in these two stands for itself.
 */
export function toAbsoluteGlob(glob: string, directory: string, home: string): string {
  if (findPathSystem(directory) === 'windows') return toWindowsGlob(glob, directory, home);
  if (glob.startsWith('/')) return glob;
  if (glob.startsWith(ANYWHERE)) return `/${glob}`;
  const [base, rest] = glob.startsWith('~/') ? [home, glob.slice(2)] : [directory, glob];
  return posix.normalize(`${base.replace(/[*?\\]/g, '\\$&').replace(/\/$/, '')}/${rest}`);
}

/** There, backslashes separate names, and escape nothing. */
function toWindowsGlob(glob: string, directory: string, home: string): string {
  const text = glob.replaceAll('\\', '/');
  if (findPathSystem(glob) === 'windows' || text.startsWith(ANYWHERE)) return toComparable(text);
  if (text.startsWith('~/')) return toComparable(`${home}/${text.slice(2)}`);
  // The root of the drive, or of the share, that the directory is on.
  const base = text.startsWith('/') ? win32.parse(directory).root : directory;
  return toComparable(`${base}/${text}`);
}

/** A path of Windows as globs are compared with it: with slashes, and without regard to case. */
function toComparable(path: string): string {
  return posix.normalize(path.replaceAll('\\', '/')).toLowerCase();
}

/** Finds the fault in globs from a file or a command line. */
export function findGlobFault(globs: readonly string[]): string | undefined {
  if (globs.length > MAX_GLOBS) return `has more than ${MAX_GLOBS} globs`;
  const isLong = globs.some((glob) => glob.length > MAX_LENGTH);
  return isLong ? `has a glob of more than ${MAX_LENGTH} characters` : undefined;
}

/**
 * Returns whether a path, or a directory that it is in, fits one of the globs. Takes time by the length of
 * the path times that of the globs, whatever they hold.
 * @throws UsageError for too many globs
 */
export function createPathMatcher(globs: readonly string[]): (path: string) => boolean {
  if (globs.length > MAX_GLOBS) throw new UsageError(`--ignore: ${findGlobFault(globs) ?? ''}`);
  const parsed = globs.map(parseGlob);
  return (path) => {
    const text = findPathSystem(path) === 'windows' ? toComparable(path) : path;
    return parsed.some((tokens) => matches(tokens, text));
  };
}

function parseGlob(glob: string): readonly Token[] {
  const parts = glob.match(/\*\*\/|\*+|\?|\\.|[^]/gsu) ?? [];
  return parts.map((part): Token => {
    if (part === '**/') return { any: 'dirs' };
    if (part.startsWith('**')) return { any: 'all' };
    if (part === '*' || part === '?') return { any: part };
    return part.length > 1 && part.startsWith('\\') ? part.slice(1) : part;
  });
}

/** Goes through the path once, with every position of the glob that it may be at. */
function matches(tokens: readonly Token[], path: string): boolean {
  let states = new Set([0]);
  let before = '/';
  for (const character of path) {
    const open = close(states, tokens, before);
    if (character === '/' && open.has(tokens.length)) return true;
    states = advance(open, tokens, character);
    if (states.size === 0) return false;
    before = character;
  }
  return close(states, tokens, before).has(tokens.length);
}

/** Adds what may follow a wildcard that stands for nothing. */
function close(states: ReadonlySet<number>, tokens: readonly Token[], before: string): Set<number> {
  const open = new Set(states);
  for (const state of open) {
    const token = tokens[state];
    if (typeof token !== 'object' || token.any === '?') continue;
    if (token.any !== 'dirs' || before === '/') open.add(state + 1);
  }
  return open;
}

function advance(open: ReadonlySet<number>, tokens: readonly Token[], character: string) {
  const next = new Set<number>();
  for (const state of open) {
    const token = tokens[state];
    if (token === undefined) continue;
    if (token === character) next.add(state + 1);
    if (typeof token === 'string') continue;
    if (token.any === '?' && character !== '/') next.add(state + 1);
    const stays =
      token.any === 'dirs' || token.any === 'all' || (token.any === '*' && character !== '/');
    if (stays) next.add(state);
  }
  return next;
}
