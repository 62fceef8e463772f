import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { toFileError } from '../session/jsonl/file-error.ts';
import { syncDirectory } from '../session/jsonl/rewrite.ts';
import type { ImageFiles } from '../session/reduce/image-block.ts';

/**
 * The images of a session in a folder beside it, each once, for its owner only. Written at once, so
 * that no more than one is held in memory; a half-written one never has an image's name.
 */
export function openImageFiles(sessionPath: string): ImageFiles {
  const directory = dirname(sessionPath);
  const folder = getImageFolder(sessionPath);
  const home = join(directory, folder);
  const added = new Set<string>();
  let isNew = false;
  return {
    folder,
    put(name, bytes) {
      const path = join(home, name);
      if (added.has(path) || toName(readImage(path)) === toStem(name)) return;
      isNew = makeFolder(home) || isNew;
      writeImage(path, bytes);
      added.add(path);
    },
    get: (from, name) => readImage(join(directory, from, name)),
    async flush() {
      if (added.size === 0) return;
      await syncDirectory(home);
      await syncDirectory(directory);
    },
    discard() {
      for (const path of added) rmSync(path, { force: true });
      if (isNew) rmdirSync(home);
    },
  };
}

/** For a preview: knows what is there, and writes nothing. */
export function previewImageFiles(sessionPath: string): ImageFiles {
  return { ...openImageFiles(sessionPath), put: () => undefined };
}

/** `<session>.images` for `<session>.jsonl`. */
export function getImageFolder(sessionPath: string): string {
  return `${basename(sessionPath).replace(/\.jsonl?$/, '')}.images`;
}

function makeFolder(path: string): boolean {
  try {
    return mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined;
  } catch (error) {
    throw toFileError(error, path, 'create');
  }
}

function writeImage(path: string, bytes: Buffer): void {
  const unique = `${process.pid}@${hostname()}.${randomBytes(6).toString('hex')}`;
  const temp = join(dirname(path), `.${basename(path)}.${unique}.coppice-tmp`);
  try {
    const file = openSync(temp, 'wx', 0o600);
    try {
      writeFileSync(file, bytes);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temp, path);
  } catch (error) {
    rmSync(temp, { force: true });
    throw toFileError(error, path, 'write');
  }
}

function readImage(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    const problem = toFileError(error, path, 'read');
    if (problem.code === 'ENOENT' || problem.code === 'ENOTDIR') return undefined;
    throw problem;
  }
}

function toName(bytes: Buffer | undefined): string | undefined {
  return bytes && createHash('sha256').update(bytes).digest('hex');
}

function toStem(name: string): string {
  return name.slice(0, name.indexOf('.'));
}
