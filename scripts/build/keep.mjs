// @ts-check
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * A directory that is made of sources, and kept until they change.
 *
 * @typedef {object} Made
 * @property {string} directory
 * @property {string} state the file beside which a lock is kept as well
 * @property {readonly string[]} sources everything that it is made of, from the root of the project
 * @property {(to: string) => Promise<void>} make into a directory beside it that is not there yet
 */

/**
 * Makes it, unless it is what the sources make already. One run makes it at a time; it is replaced
 * when it is whole, so that whoever reads it meanwhile finds the old one or the new one.
 *
 * @param {Made} made
 * @param {{ isForced?: boolean }} [options]
 */
export async function keep(made, { isForced = false } = {}) {
  if (!isForced && isFresh(made)) return;
  mkdirSync(dirname(made.state), { recursive: true });
  const lock = `${made.state}.lock`;
  await takeLock(lock);
  try {
    if (isForced || !isFresh(made)) await replace(made);
  } finally {
    rmSync(lock, { force: true });
  }
}

/** @param {Made} made */
async function replace({ directory, state, sources, make }) {
  const before = digest(sources);
  const made = join(dirname(directory), `.tmp-${basename(directory)}-${process.pid}`);
  const old = `${made}-old`;
  try {
    await make(made);
    rmSync(state, { force: true });
    rmSync(old, { recursive: true, force: true });
    renameIfThere(directory, old);
    renameSync(made, directory);
    writeFileSync(state, before + digest([directory]));
  } finally {
    for (const path of [made, old]) rmSync(path, { recursive: true, force: true });
  }
}

/** @param {Made} made */
function isFresh({ directory, state, sources }) {
  return readIfThere(state) === digest(sources) + digest([directory]);
}

/**
 * Of the contents of files and folders, and of their names in this project: a copy of it is as fresh.
 *
 * @param {readonly string[]} names
 */
function digest(names) {
  const hash = createHash('sha256').update(process.version);
  for (const path of names.flatMap(listFiles))
    hash.update(`\0${relative(ROOT, path)}\0`).update(readFileSync(path));
  return hash.digest('hex');
}

/** @param {string} name @returns {readonly string[]} every file below, links not followed, or the file itself */
function listFiles(name) {
  const path = resolve(ROOT, name);
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [path] : [];
  // From Node 22 on, `recursive` follows links, which may lead round in a circle.
  return readdirSync(path, { withFileTypes: true })
    .flatMap((one) => {
      const below = join(path, one.name);
      if (one.isDirectory()) return listFiles(below);
      return one.isFile() ? [below] : [];
    })
    .toSorted();
}

/**
 * A file with the number of the process that makes; one that a killed process has left counts for nothing.
 *
 * @param {string} lock
 */
async function takeLock(lock) {
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
    const owner = Number(readIfThere(lock) ?? 0);
    // Written in two steps: empty for a moment.
    if (owner > 0 && !isRunning(owner)) rmSync(lock, { force: true });
    await setTimeout(100);
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/** @param {string} path */
function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** @param {string} from @param {string} to */
function renameIfThere(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

/** @param {unknown} error @param {string} code */
function hasCode(error, code) {
  return error instanceof Error && 'code' in error && error.code === code;
}
