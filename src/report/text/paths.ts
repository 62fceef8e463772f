import { sep } from 'node:path';
import { findNamesBelow } from '../../session/model/paths.ts';
import { toPlainLine } from './escape.ts';

/** A path as a person writes it: the home directory as `~`, and nothing a terminal would obey. */
export function formatPath(path: string, home: string): string {
  // The root directory as home shortens nothing.
  const below = home === sep ? undefined : findNamesBelow(path, home);
  return toPlainLine(below ? ['~', ...below].join(sep) : path, 4096);
}

/** Returns the path below `cwd`, with forward slashes; undefined for a path elsewhere. */
export function toRelativePath(path: string, cwd: string): string | undefined {
  const below = findNamesBelow(path, cwd);
  return below?.length ? below.join('/') : undefined;
}
