import type { Entry } from '../entry.ts';
import type { Tree } from './tree.ts';

/**
 * Makes a test of entries by the paths that lead to them: whether one entry on it fits. Each entry is looked at once,
 * however many paths it is on.
 */
export function createPathTest(
  tree: Tree,
  fits: (entry: Entry) => boolean,
): (entry: Entry) => boolean {
  const known = new Map<Entry, boolean>();
  return (entry) => {
    const passed: Entry[] = [];
    let result = false;
    for (let at: Entry | undefined = entry; at; at = tree.parentOf(at)) {
      const before = known.get(at);
      result = before ?? fits(at);
      if (before !== undefined) break;
      // A cycle meets it again.
      known.set(at, false);
      passed.push(at);
      if (result) break;
    }
    for (const one of passed) known.set(one, result);
    return result;
  };
}

/** Makes a test of whether the path to an entry has a beginning: on a cycle there is none. */
export function createRootTest(tree: Tree): (entry: Entry) => boolean {
  return createPathTest(tree, (entry) => tree.parentOf(entry) === undefined);
}
