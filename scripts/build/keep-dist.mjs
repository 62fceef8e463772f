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
import { join, relative, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const ROOT = resolve(import.meta.dirname, '../..');
const DIST = join(ROOT, 'dist');
const CACHE = join(ROOT, 'node_modules/.cache/coppice-build');
const STATE = join(CACHE, 'state');
const LOCK = join(CACHE, 'lock');
/** Everything that `dist` is made of. */
const SOURCES = ['src', 'scripts/build', 'package.json', 'package-lock.json', 'tsconfig.json'];

/**
 * Builds `dist`, unless it is what the sources make already. One build at a time; `dist` is replaced
 * when it is whole, so that whoever runs the program meanwhile finds the old one or the new one.
 *
 * @param {{ isForced?: boolean }} [options]
 */
export async function build({ isForced = false } = {}) {
  if (!isForced && isFresh()) return;
  mkdirSync(CACHE, { recursive: true });
  await takeLock();
  try {
    if (isForced || !isFresh()) await replaceDist();
  } finally {
    rmSync(LOCK, { force: true });
  }
}

async function replaceDist() {
  const sources = digest(SOURCES);
  // Where dist is, too: packages are found, and so is package.json.
  const made = join(ROOT, `.tmp-dist-${process.pid}`);
  const old = `${made}-old`;
  try {
    const { makeDist } = await import('./make-dist.mjs');
    await makeDist(made);
    rmSync(STATE, { force: true });
    rmSync(old, { recursive: true, force: true });
    renameIfThere(DIST, old);
    renameSync(made, DIST);
    writeFileSync(STATE, sources + digest(['dist']));
  } finally {
    for (const path of [made, old]) rmSync(path, { recursive: true, force: true });
  }
}

function isFresh() {
  return readIfThere(STATE) === digest(SOURCES) + digest(['dist']);
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

/** @param {string} name @returns {readonly string[]} every file below, or the file itself */
function listFiles(name) {
  const path = join(ROOT, name);
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [path] : [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .toSorted();
}

/** A file with the number of the process that builds; one that a killed build has left counts for nothing. */
async function takeLock() {
  for (;;) {
    try {
      writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
    const owner = Number(readIfThere(LOCK) ?? 0);
    // Written in two steps: empty for a moment.
    if (owner > 0 && !isRunning(owner)) rmSync(LOCK, { force: true });
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
