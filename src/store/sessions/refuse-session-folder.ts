import { basename, dirname, join } from 'node:path';
import { UsageError } from '../../errors.ts';
import { dialects, getDialect } from '../../session/agents/index.ts';
import { listAbove } from '../../session/model/paths.ts';
import { readIdIfAny } from '../find/targets.ts';
import { listAll } from '../files/list-all.ts';
import { getRealPath, isGone, statFile } from '../files/stat-file.ts';
import { isNamedAfter } from './foreign-files.ts';
import { ownsFolder, toOwnName } from './session-files.ts';

/**
 * Refuses a place for what a person wants to keep, if it is in a directory that agents, and `prune`, remove with a
 * session. `label`: the place in the message, as a user names it.
 * @throws UsageError
 */
export async function refuseSessionFolder(path: string, label: string): Promise<void> {
  for (const directory of new Set(
    [path, toReal(path)].flatMap((one) => [one, ...listAbove(one)]),
  )) {
    if (!(await isOfSession(directory))) continue;
    throw new UsageError(
      `${label}: is in the folder of a session, and would be removed with it: ${directory}; name another place`,
    );
  }
}

/**
 * Refuses a place for new files where something else than a directory is, or is on the path to it. `label`: as above.
 * @throws UsageError
 */
export function refuseFile(path: string, label: string): void {
  const first = [path, ...listAbove(path)].find((one) => !isGone(one));
  if (first === undefined || statFile(first)?.isDirectory() !== false) return;
  throw new UsageError(`${label}: ${first === path ? '' : `${first} `}is not a directory`);
}

/** The path behind the links that are on the way, as far as there is anything. */
function toReal(path: string): string {
  const above = dirname(path);
  return isGone(path) && above !== path ? join(toReal(above), basename(path)) : getRealPath(path);
}

const ENDINGS = ['.jsonl', '.json', '.jsonl.zst'];

async function isOfSession(directory: string): Promise<boolean> {
  if (dialects.some(({ sidecars }) => sidecars?.isOwnDirectory?.(directory))) return true;
  for (const path of ENDINGS.map((ending) => directory + ending)) {
    const session = isGone(path) ? undefined : await readIdIfAny(path);
    const { sidecars } = session ? getDialect(session.agent) : {};
    if (!session || !sidecars || !isNamedAfter(directory, path, sidecars)) continue;
    const root = sidecars.findRoot(path);
    const files = listAll(directory).files.map((one) => ({ name: toOwnName(one, root) }));
    if (ownsFolder({ path, root, files }, session.id, sidecars)) return true;
  }
  return false;
}
