import { randomBytes } from 'node:crypto';
import { cp, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { FileError } from '../errors.ts';
import { toFileError } from '../session/jsonl/file-error.ts';

export interface TrashEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Milliseconds. */
  readonly now: () => number;
  readonly platform?: NodeJS.Platform;
  /** The system's own; handed in by tests only. */
  readonly systemTrash?: (path: string) => Promise<void>;
}

/**
 * Moves a file or a directory to the system's trash. On Linux, where the trash of its own file
 * system cannot be used, it goes to the one in the home directory.
 * @throws FileError when no trash takes it; it is then where it was.
 */
export async function moveToTrash(path: string, environment: TrashEnvironment): Promise<void> {
  const { platform = process.platform, systemTrash = moveWithLibrary } = environment;
  try {
    return await systemTrash(path);
  } catch (error) {
    if (!(await isThere(path))) return;
    if (platform === 'darwin' || platform === 'win32') throw toTrashError(path, error);
  }
  try {
    await moveToHomeTrash(path, environment);
  } catch (error) {
    throw toTrashError(path, error);
  }
}

/** Loaded only when it is needed: most runs need it not. */
async function moveWithLibrary(path: string): Promise<void> {
  const { default: trash } = await import('trash');
  // A path is no pattern, whatever characters are in it.
  await trash(path, { glob: false });
}

/** As in the freedesktop.org trash specification 1.0. Copies where it cannot rename. */
async function moveToHomeTrash(
  path: string,
  { env, home, now }: Pick<TrashEnvironment, 'env' | 'home' | 'now'>,
): Promise<void> {
  const trash = join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'Trash');
  const [files, info] = [join(trash, 'files'), join(trash, 'info')];
  for (const directory of [files, info]) await mkdir(directory, { recursive: true, mode: 0o700 });
  const name = `${basename(path).slice(0, 120)}.${randomBytes(6).toString('hex')}`;
  const note = join(info, `${name}.trashinfo`);
  await writeNote(note, path, now());
  try {
    await move(path, join(files, name));
  } catch (error) {
    await rm(note, { force: true });
    throw error;
  }
}

async function writeNote(note: string, path: string, now: number): Promise<void> {
  const file = await open(note, 'wx', 0o600);
  try {
    const encoded = path.split('/').map(encodeURIComponent).join('/');
    const localTime = new Date(now - new Date(now).getTimezoneOffset() * 60_000);
    const date = localTime.toISOString().slice(0, 19);
    await file.writeFile(`[Trash Info]\nPath=${encoded}\nDeletionDate=${date}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function move(path: string, target: string): Promise<void> {
  try {
    return await rename(path, target);
  } catch (error) {
    if (toFileError(error, path, 'move').code !== 'EXDEV') throw error;
  }
  const before = await lstat(path);
  try {
    await cp(path, target, { recursive: true, preserveTimestamps: true, errorOnExist: true });
    const after = await lstat(path);
    if (after.size !== before.size || after.mtimeMs !== before.mtimeMs) {
      throw new FileError(path, 'ECHANGED', 'changed while it was copied');
    }
  } catch (error) {
    await rm(target, { recursive: true, force: true });
    throw error;
  }
  await rm(path, { recursive: true });
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (toFileError(error, path, 'read').code === 'ENOENT') return false;
    throw error;
  }
}

function toTrashError(path: string, error: unknown): FileError {
  const cause = error instanceof Error ? error.message : String(error);
  const message = `cannot move to the trash: ${cause}. Use --archive <dir> or --delete.`;
  return new FileError(path, 'ETRASH', message, { cause: error });
}
