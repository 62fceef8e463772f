import { basename, join } from 'node:path';
import { findNamesBelow } from '../../session/model/paths.ts';

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
