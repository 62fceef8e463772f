import { dirname, join } from 'node:path';
import { isClosed, toFileError } from '../../../jsonl/files/file-error.ts';
import { findRealPath } from '../../../jsonl/files/real-path.ts';
import { listReadable } from '../../../jsonl/files/list-directory.ts';

/** The directory of all projects, in that of Claude Code. */
export const PROJECTS = 'projects';

/**
 * Lists the directories of all projects whose sessions have sidecars in one directory of Claude Code: its own
 * first, and those of others that share one of these names with it, by links. People have one for each account
 * (`CLAUDE_CONFIG_DIR`) and link what these have in common: such a directory is beside it, or where a link leads,
 * which may be another path of its own.
 */
export function listSharedStores(config: string, names: readonly string[]): readonly string[] {
  const found = new Map<string | undefined, string>();
  const configs = new Set([config]);
  // A set that grows is walked to its end.
  for (const one of configs) {
    const store = join(one, PROJECTS);
    const real = findRealPath(store);
    if (one !== config && real === undefined) continue;
    if (!found.has(real)) found.set(real, store);
    for (const other of listSharing(one, names)) configs.add(other);
  }
  return [...found.values()];
}

function listSharing(config: string, names: readonly string[]): readonly string[] {
  const real = new Map(names.map((name) => [name, findRealPath(join(config, name))]));
  const home = dirname(config);
  const shares = (other: string): boolean =>
    [...real].some(([name, own]) => own !== undefined && findOpenPath(join(other, name)) === own);
  const beside = listReadable(home)
    .map((name) => join(home, name))
    .filter((other) => findOpenPath(join(other, PROJECTS)) !== undefined && shares(other));
  const behind = [...real.values()].flatMap((own) => (own === undefined ? [] : [dirname(own)]));
  return [...beside, ...behind];
}

/** The path without links; undefined also in directories of others: a home may have one that is only for the system. */
function findOpenPath(path: string): string | undefined {
  try {
    return findRealPath(path);
  } catch (error) {
    if (isClosed(toFileError(error, path, 'look up'))) return undefined;
    throw error;
  }
}
