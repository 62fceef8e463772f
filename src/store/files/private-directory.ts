import { lstatSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { throwIfBug } from '../../session/jsonl/files/file-error.ts';
import { isLeftBehind, isTempName, toTempPath } from '../../session/jsonl/files/temp-file.ts';
import { attempt } from './attempt.ts';
import { releaseAfter } from '../../session/jsonl/files/release-after.ts';

const NAME = 'coppice';

/**
 * Makes a directory in that of the system for temporary files, which only its owner can enter and the caller removes.
 * Those of runs that were killed are removed first: they hold copies of sessions, and nothing else would find them.
 * @throws FileError
 */
export async function makePrivateDirectory(): Promise<string> {
  const base = tmpdir();
  await removeLeft(base);
  const path = toTempPath(join(base, NAME));
  await attempt(path, () => mkdir(path, { mode: 0o700 }));
  return path;
}

/**
 * Lets `use` work with a directory as `makePrivateDirectory` makes it, which is removed afterwards, whatever comes.
 * @throws FileError where it cannot be made; whatever `use` throws.
 */
export async function withPrivateDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const directory = await makePrivateDirectory();
  return releaseAfter(
    () => use(directory),
    () => attempt(directory, () => rm(directory, { recursive: true, force: true })),
  );
}

/** Others may write there, too: what cannot be removed is none of ours. */
async function removeLeft(base: string): Promise<void> {
  try {
    for (const name of await readdir(base)) {
      const path = join(base, name);
      if (!isMadeByUs(path) || !(await isLeftBehind(path, Date.now(), { trees: true }))) continue;
      await rm(path, { recursive: true, force: true });
    }
  } catch (error) {
    throwIfBug(error);
  }
}

function isMadeByUs(path: string): boolean {
  const name = basename(path);
  if (!name.startsWith(`.${NAME}.`) || !isTempName(name)) return false;
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && stats.uid === (process.getuid?.() ?? stats.uid);
}
