import { basename, join, relative, sep } from 'node:path';

/**
 * Where a file goes below another directory: as it lies below the innermost of `roots` that holds
 * it, or by its name alone.
 */
export function mirrorPath(path: string, roots: readonly string[], directory: string): string {
  const holding = roots.filter((root) => path.startsWith(root.endsWith(sep) ? root : root + sep));
  const [root] = holding.toSorted((a, b) => b.length - a.length);
  return join(directory, root === undefined ? basename(path) : relative(root, path));
}
