import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { FileError } from '../../../errors.ts';
import { isMissing, toFileError } from '../../../session/jsonl/files/file-error.ts';
import { openText } from '../../../session/jsonl/read/text-source.ts';
import type { FileProblem } from '../../../session/model/summary.ts';
import { findReferrers, type Named, type Referrers } from '../../../session/prune/referrers.ts';
import { orFileError } from '../../sessions/read-prunable.ts';
import type { SessionFiles } from '../../sessions/session-files.ts';
import {
  FolderSearch,
  holdsLines,
  listFolders,
  type NamedFolder,
} from '../../sessions/sidecars/folder-search.ts';
import type { FoundCandidate } from '../candidates.ts';

/** Returns whether a session has files that the lines of another one may name. */
export function hasFolders(files: SessionFiles | undefined): boolean {
  return files !== undefined && listFolders(files).length > 0;
}

const PIECE_BYTES = 1024 * 1024;

/**
 * Finds for each session those whose lines name files in its folders, as a fork has the lines of a session
 * that is not its parent: reads every line of all sessions.
 */
export async function readReferrers(
  found: readonly FoundCandidate[],
  problems: readonly FileProblem[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Referrers>> {
  const folders = new Map<string, readonly NamedFolder[]>();
  for (const { candidate, files } of found) {
    const own = files ? listFolders(files) : [];
    if (own.length > 0) folders.set(candidate.path, own);
  }
  const search = new FolderSearch(folders);
  const named: Named[] = [];
  for (const one of found) {
    named.push(await readNamed(one, search));
    // Reading is synchronous: a signal arrives only here.
    await setImmediate();
    signal?.throwIfAborted();
  }
  const unread = problems.filter(({ problem: { code } }) => UNREAD.test(code));
  for (const { path } of unread) named.push({ path, names: [], unread: path, needs: [] });
  return findReferrers(named, folders.keys());
}

/** An error of the system about what is there, such as a directory that cannot be listed. */
const UNREAD = /^E(?!NOENT)/;

async function readNamed(
  { candidate: { path, needs = [] }, files, members }: FoundCandidate,
  search: FolderSearch,
): Promise<Named> {
  const names = new Set<string>();
  const logs = files?.files.filter(({ name }) => holdsLines(name)) ?? [];
  const paths = [...members, ...logs.map(({ name }) => join(files?.root ?? '', name))];
  for (const one of new Set(paths)) {
    const own = await orFileError(() => search.search(readText(one)));
    if (!(own instanceof FileError)) for (const name of own) names.add(name);
    else if (!isMissing(own)) return { path, names: [], unread: one, needs };
  }
  return { path, names: [...names], needs };
}

/** @throws FileError if it cannot be read. */
async function* readText(path: string): AsyncGenerator<Buffer> {
  const source = await openText(path);
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  try {
    try {
      for (let count = source.read(buffer, 0); count > 0; count = source.read(buffer, 0)) {
        yield buffer.subarray(0, count);
      }
    } finally {
      source.close();
    }
  } catch (error) {
    throw toFileError(error, path, 'read');
  }
}
