import { hash } from 'node:crypto';
import { closeSync, fsyncSync, lstatSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FileError } from '../../errors.ts';
import { getFolderName } from '../../session/model/sidecar.ts';
import { isMissing, toFileError } from '../../session/jsonl/files/file-error.ts';
import { releaseAfterSync } from '../../session/jsonl/files/release-after.ts';
import { makeDirectories } from '../../session/jsonl/files/make-directories.ts';
import { flush, NOTHING_FLUSHED } from '../../session/jsonl/files/flush.ts';
import { renameFileSync } from '../../session/jsonl/files/system.ts';
import { createTempFileSync } from '../../session/jsonl/files/temp-file.ts';
import type { ImageFiles } from '../../session/model/text/image-block.ts';
import { listAll } from '../files/list-all.ts';
import { readRegularFile } from '../files/read-regular-file.ts';
import { isOwnFolder } from './usual-names.ts';
import { attempt, attemptSync } from '../files/attempt.ts';

/**
 * Opens the folder beside a session for its images, each once, for its owner only. Each is written
 * at once, so that no more than one is held in memory; a half-written one never has an image's
 * name. `listOthers`: the directories, beside that of the session, in which a folder of that name may be.
 */
export function openImageFiles(
  sessionPath: string,
  listOthers: (folder: string) => readonly string[] = () => [],
): ImageFiles {
  const directory = dirname(sessionPath);
  const home = getImageFolder(sessionPath);
  const added = new Set<string>();
  /** The files of an earlier run, which may have been killed before it flushed them. */
  const found = new Set<string>();
  let isNew = false;
  return {
    folder: basename(home),
    // A link is refused when the first image is put there.
    ownsFolder: (isMade) =>
      isOwnFolder(isMade, () => (isDirectory(home) ? listAll(home).files : [])),
    put(name, bytes) {
      const path = join(home, name);
      if (added.has(path) || found.has(path)) return;
      if (toName(readImage(path)) === toStem(name)) return void found.add(path);
      isNew = makeFolder(home) || isNew;
      writeImage(path, bytes);
      added.add(path);
    },
    get: (from, name) => findImage([directory, ...listOthers(from)], from, name),
    async flush() {
      if (added.size + found.size === 0) return NOTHING_FLUSHED;
      return attempt(home, () => flush([home, ...added, ...found]));
    },
    discard: () => takeBack(home, added, isNew),
  };
}

/** Makes image files for a preview: these know what is there, and write nothing. */
export function previewImageFiles(...place: Parameters<typeof openImageFiles>): ImageFiles {
  return { ...openImageFiles(...place), put: () => undefined };
}

/** The session's own folder, which moves, goes and comes back with it. */
export function getImageFolder(sessionPath: string): string {
  const name = getFolderName(sessionPath) ?? `${basename(sessionPath)}.images`;
  return join(dirname(sessionPath), name);
}

/** @throws FileError if that cannot be known. */
function isDirectory(path: string): boolean {
  const look = () => lstatSync(path, { throwIfNoEntry: false });
  return attemptSync(path, look, 'look up')?.isDirectory() === true;
}

function makeFolder(path: string): boolean {
  const isNew = attemptSync(path, () => makeDirectories(path) !== undefined, 'create');
  // The target of a link is not a part of the store.
  if (attemptSync(path, () => lstatSync(path), 'create').isDirectory()) return isNew;
  throw new FileError(path, 'ENOTDIR', 'cannot write: a symbolic link is at this path');
}

function writeImage(path: string, bytes: Buffer): void {
  attemptSync(path, () => {
    const temp = createTempFileSync(path);
    const write = (): void => {
      writeWhole(temp.fd, bytes);
      renameFileSync(temp.path, path);
    };
    releaseAfterSync(write, () => rmSync(temp.path, { force: true }));
  });
}

function writeWhole(fd: number, bytes: Buffer): void {
  const write = (): void => {
    writeFileSync(fd, bytes);
    fsyncSync(fd);
  };
  releaseAfterSync(write, () => closeSync(fd));
}

function takeBack(home: string, added: ReadonlySet<string>, isNew: boolean): void {
  const steps = [
    ...[...added].map((path) => () => rmSync(path, { force: true })),
    () => isNew && rmdirSync(home),
  ];
  attemptSync(home, () => releaseAfterSync(() => undefined, ...steps), 'take back');
}

function findImage(places: readonly string[], folder: string, name: string): Buffer | undefined {
  for (const place of places) {
    const bytes = readImage(join(place, folder, name));
    if (toName(bytes) === toStem(name)) return bytes;
  }
  return undefined;
}

function readImage(path: string): Buffer | undefined {
  try {
    return readRegularFile(path);
  } catch (error) {
    const problem = toFileError(error, path, 'read');
    if (isMissing(problem)) return undefined;
    throw problem;
  }
}

function toName(bytes: Buffer | undefined): string | undefined {
  return bytes && hash('sha256', bytes);
}

function toStem(name: string): string {
  return name.slice(0, name.indexOf('.'));
}
