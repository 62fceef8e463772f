import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  futimesSync,
  openSync,
  readSync,
} from 'node:fs';
import { chmod, mkdir, rm, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FileError } from '../../errors.ts';
import { giveBackChunk, takeChunk } from '../../session/jsonl/read/chunks/chunk-pool.ts';
import { toUtime } from '../../session/jsonl/files/identity/file-stamp.ts';
import { flush, flushTrail, syncDirectory } from '../../session/jsonl/files/flush.ts';
import { fileExists } from '../../session/jsonl/read/read-lines.ts';
import { releaseAfter } from '../../session/jsonl/files/release-after.ts';
import { writeAllSync } from '../../session/jsonl/files/sync-calls.ts';
import { takeTurn } from '../../session/jsonl/read/chunks/take-turn.ts';
import { refuseLastLink, renameFile } from '../../session/jsonl/files/system.ts';
import { toTempPath } from '../../session/jsonl/files/temp-file.ts';
import { ignoring, removeFiles } from './remove-files.ts';
import { type FileTree, isUnchanged, readTree, type StampedFile } from '../sessions/file-tree.ts';

const { O_CREAT, O_EXCL, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/**
 * Moves a file or a directory to another file system, where there is no rename: it is copied under a
 * temporary name, the copy is flushed, compared byte by byte and renamed, and only then the source is
 * removed, if it is still as it was copied. It is at one of its places, whole, at every moment, also
 * through a loss of power; a run that is killed leaves at most a temporary file or directory.
 * @throws FileError, `ECHANGED` if the source changed meanwhile; the copy is then removed, unless a
 * part of the source was.
 */
export async function moveAcross(from: string, to: string): Promise<void> {
  const [home, name] = [dirname(from), basename(from)];
  const tree = await readTree(home, name);
  if (tree.files.length + tree.directories.length === 0) {
    throw new FileError(from, 'ENOENT', 'cannot copy: no such file or directory');
  }
  if (tree.unsupported !== undefined) {
    throw new FileError(
      join(home, tree.unsupported.name),
      'EINVAL',
      'cannot copy: is not a plain file',
    );
  }
  const temp = toTempPath(to);
  const toCopy = (one: StampedFile): string => temp + one.name.slice(name.length);
  try {
    for (const one of tree.directories) await mkdir(toCopy(one), { mode: 0o700 });
    for (const one of tree.files) await copyFile(join(home, one.name), toCopy(one), one);
    for (const one of tree.directories.toReversed()) await finishDirectory(toCopy(one), one);
    for (const one of tree.files) await compareBytes(join(home, one.name), toCopy(one));
    await renameFile(temp, to);
    await flush([to]);
    flushTrail(dirname(to));
    if (!isUnchanged(tree, await readTree(home, name))) throw changed(from);
    await removeFiles(tree);
  } catch (error) {
    await rm(temp, { recursive: true, force: true });
    if (await isWhole(tree)) await rm(to, { recursive: true, force: true });
    throw error;
  }
  await ignoring(['ENOENT'], home, () => syncDirectory(home));
}

/** Returns whether every file of a tree is there. */
async function isWhole({ root, files }: FileTree): Promise<boolean> {
  const found = await Promise.all(files.map(({ name }) => fileExists(join(root, name))));
  return found.every(Boolean);
}

function changed(path: string): FileError {
  return new FileError(path, 'ECHANGED', 'changed while it was copied, and is kept');
}

async function copyFile(from: string, to: string, facts: StampedFile): Promise<void> {
  const target = openSync(to, O_WRONLY | O_CREAT | O_EXCL, 0o600);
  const copy = async (): Promise<void> => {
    for await (const chunk of readChunks(from)) writeAllSync(target, chunk);
    fchmodSync(target, facts.mode);
    futimesSync(target, toUtime(facts.mtimeMs), toUtime(facts.mtimeMs));
    fsyncSync(target);
  };
  await releaseAfter(copy, () => closeSync(target));
}

async function compareBytes(from: string, to: string): Promise<void> {
  const hashes: string[] = [];
  for (const path of [from, to]) {
    const hash = createHash('sha256');
    for await (const chunk of readChunks(path)) hash.update(chunk);
    hashes.push(hash.digest('hex'));
  }
  if (hashes[0] !== hashes[1]) throw changed(from);
}

/** The bytes of a plain file; each chunk is valid until the next one is asked for. */
async function* readChunks(path: string): AsyncGenerator<Buffer> {
  const source = openSync(path, O_RDONLY | O_NONBLOCK | refuseLastLink(path));
  const chunk = takeChunk();
  try {
    for (;;) {
      const count = readSync(source, chunk, 0, chunk.length, null);
      if (count === 0) return;
      yield chunk.subarray(0, count);
      await takeTurn(count, undefined);
    }
  } finally {
    giveBackChunk(chunk);
    closeSync(source);
  }
}

async function finishDirectory(path: string, { mode, mtimeMs }: StampedFile): Promise<void> {
  await chmod(path, mode);
  await utimes(path, toUtime(mtimeMs), toUtime(mtimeMs));
  await syncDirectory(path);
}
