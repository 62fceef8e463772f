import { basename, dirname } from 'node:path';
import { usualSidecars, type SidecarDialect } from '../../../dialect/surroundings/sidecars.ts';
import { listProjectHomes } from '../../../dialect/surroundings/project-homes.ts';
import { getString, parseJsonObject } from '../../../jsonl/edit/json.ts';
import { listUsualSidecars, type Sidecar } from '../../../model/sidecar.ts';
import { isHeader } from '../format.ts';
import { isBesideProjects } from './session-place.ts';

/** The characters that begin a suffix of `migrate --backup`. */
const SUFFIX_STARTS = ['.', '-', '_', '~'];

/** The id in the first object of a text that may be cut off behind it. */
function readId(start: string): string | undefined {
  const text = start.slice(start.indexOf('{'), start.indexOf('}') + 1);
  const value = parseJsonObject(text);
  return value && isHeader(value) ? getString(value, 'id') : undefined;
}

/** Returns whether a file is the JSON array that a session was migrated from. */
function isOldArray(start: string, sessionStart: string): boolean {
  if (!start.trimStart().startsWith('[')) return false;
  const id = readId(start);
  return id !== undefined && sessionStart.split('\n').some((line) => readId(line) === id);
}

/** Lists the array `x.json` that `x.jsonl` was migrated from, and its later names. */
function listOldArrays(path: string): readonly Sidecar[] {
  if (!path.endsWith('.jsonl')) return [];
  const name = basename(path).slice(0, -1);
  const old: Sidecar[] = [{ name, kind: 'file', belongs: isOldArray }];
  for (const begin of SUFFIX_STARTS) {
    old.push({ name: name + begin, kind: 'file', belongs: isOldArray, ending: '' });
  }
  return old;
}

/**
 * Lists what oh-my-pi leaves behind if it is killed while it rewrites a session: it makes the session of such a file
 * again if the session itself is not there (`recoverOrphanedBackups` of 18.3.4).
 */
function listBackups(path: string): readonly Sidecar[] {
  return [{ name: `${basename(path)}.`, kind: 'file', ending: '.bak', belongs: isBackup }];
}

/** The name that the agent gives it; one with another ending is a person's. */
const BACKUP = /\.jsonl\.[\da-f]{16}\.bak$/;

function isBackup(start: string, sessionStart: string, name?: string): boolean {
  if (name !== undefined && !BACKUP.test(name)) return false;
  const [id] = start.split('\n').flatMap((line) => readId(line) ?? []);
  return id !== undefined && sessionStart.split('\n').some((line) => readId(line) === id);
}

export const sidecars: SidecarDialect = {
  ...usualSidecars,
  list: (path) => [...listUsualSidecars(path), ...listOldArrays(path), ...listBackups(path)],
  listFolderHomes: (path) =>
    isBesideProjects(path) ? listProjectHomes(dirname(dirname(path))) : [],
  listBeside: (path) => listUsualSidecars(path).map(({ name, kind }) => ({ name, kind })),
};
