import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, stat, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { toFileError } from './file-error.ts';

/** Appends always go to the end, also after another process has appended to the renamed file. */
const CREATE_FOR_APPEND = 'ax';
const OWN = /^\..*\.(\d+)@([^@]+)\.[0-9a-f]{12}\.coppice-tmp$/;
/** Old enough that no run on any machine can still be writing it. */
const STALE_AFTER_MS = 24 * 60 * 60 * 1000;

export interface TempFile {
  readonly path: string;
  readonly file: FileHandle;
}

/** Creates a new, private file beside `path`, whose name tells which process it belongs to. */
export async function createTempFile(path: string): Promise<TempFile> {
  const unique = `${process.pid}@${hostname()}.${randomBytes(6).toString('hex')}`;
  const temp = join(dirname(path), `.${basename(path).slice(0, 128)}.${unique}.coppice-tmp`);
  return { path: temp, file: await open(temp, CREATE_FOR_APPEND, 0o600) };
}

/** Removes what killed runs have left in a directory; files of runs that live are left alone. */
export async function removeStaleTempFiles(directory: string, now: number): Promise<void> {
  for (const name of await readdir(directory)) {
    const [, pid, host] = OWN.exec(name) ?? [];
    if (pid === undefined) continue;
    const path = join(directory, name);
    const isDead = host === hostname() && !isAlive(Number(pid));
    try {
      // Not its mtime: a finished file already has the one of the file that it will replace.
      if (isDead || now - (await stat(path)).ctimeMs > STALE_AFTER_MS) await unlink(path);
    } catch (error) {
      // Its run has just finished with it, or another one has cleared it away.
      if (toFileError(error, path, 'clear away').code !== 'ENOENT') throw error;
    }
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
