import { isAbsolute, relative, sep } from 'node:path';
import { toPlainLine } from './escape.ts';

/** A path as a person writes it: the home directory as `~`, and nothing a terminal would obey. */
export function formatPath(path: string, home: string): string {
  const isInHome = home !== '' && home !== sep && (path === home || path.startsWith(home + sep));
  return toPlainLine(isInHome ? `~${path.slice(home.length)}` : path, 4096);
}

/** Below `cwd`, with forward slashes; undefined for a path elsewhere. */
export function toRelativePath(path: string, cwd: string): string | undefined {
  const found = relative(cwd, path);
  const isElsewhere = found === '' || found === '..' || found.startsWith(`..${sep}`);
  return isElsewhere || isAbsolute(found) ? undefined : found.split(sep).join('/');
}
