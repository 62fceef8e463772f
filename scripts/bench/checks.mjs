// @ts-check
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** @import { Context } from './commands.mjs' */

/**
 * Every session file below a directory, sorted.
 * @param {string} directory
 */
export function sessionFiles(directory) {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .map((name) => join(directory, name));
}

/**
 * Copies the store with its file times (sessions just touched would be skipped), and waits until
 * the copy is on the disk, so that its writing does not disturb the run.
 * @param {Context} context
 */
export function copyStore({ store, copy }) {
  const { status, stderr } = spawnSync('cp', ['-Rp', store, copy], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cannot copy the store: ${stderr}`);
  spawnSync('sync');
}

/**
 * @param {Context} context
 * @param {string} stdout
 */
export function expectLinePerSession({ sessions }, stdout) {
  const lines = stdout.split('\n').length - 1;
  if (lines !== sessions) throw new Error(`${lines} lines for ${sessions} sessions`);
}

/** @param {Context} context */
export function expectCompressed({ copy, sessions }) {
  const names = readdirSync(copy, { recursive: true, encoding: 'utf8' });
  const compressed = names.filter((name) => name.endsWith('.jsonl.zst'));
  const left = sessionFiles(copy).length;
  if (compressed.length !== sessions || left > 0) {
    throw new Error(
      `${compressed.length} of ${sessions} sessions were compressed, ${left} are left`,
    );
  }
}

/** @param {Context} context */
export function expectMigrated({ copy }) {
  const outdated = sessionFiles(copy).filter((path) => !readStart(path).includes('"version":3'));
  if (outdated.length > 0) throw new Error(`${outdated.length} sessions were not migrated`);
}

/**
 * @param {Context} context
 * @param {string} extension of the files that exports are
 */
export function expectExported({ copy, sessions }, extension) {
  const exported = readdirSync(copy).filter((name) => name.endsWith(`.${extension}`));
  if (exported.length < sessions) throw new Error(`${exported.length} exports of ${sessions}`);
}

/** @param {string} path */
function readStart(path) {
  const fd = openSync(path, 'r');
  try {
    const start = Buffer.alloc(1024);
    return start.toString('utf8', 0, readSync(fd, start));
  } finally {
    closeSync(fd);
  }
}
