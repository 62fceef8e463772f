// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sessionFiles } from './checks.mjs';
import { writeStore } from './store/write-store.mjs';

/** @import { StoreOptions } from './store/plan.mjs' */
/** @typedef {{ path: string, agent: string, sessions: number, bytes: number, largest: number }} BenchStore */

/**
 * A generated store below `folder`: that of an earlier run if it was finished and the options
 * and the generator are the same, else a new one.
 * @param {string} folder
 * @param {Omit<StoreOptions, 'out'>} options
 * @returns {BenchStore}
 */
export function generatedStore(folder, options) {
  const { agent = 'pi', version } = options;
  const name = options.agent ?? `v${version}`;
  const out = keepStore(folder, name, options, (path) => writeStore({ ...options, out: path }));
  return { ...existingStore(out), agent };
}

/**
 * The path of a store that `write` makes, or made in an earlier run with the same shape and code.
 * @param {string} folder
 * @param {string} name
 * @param {object} shape
 * @param {(out: string) => void} write
 */
export function keepStore(folder, name, shape, write) {
  const key = createHash('sha256').update(JSON.stringify(shape));
  for (const directory of ['store', 'targets']) {
    const sources = join(import.meta.dirname, directory);
    for (const source of readdirSync(sources).toSorted()) {
      if (source !== 'suites.mjs') key.update(readFileSync(join(sources, source)));
    }
  }
  const out = join(folder, `store-${name}-${key.digest('hex').slice(0, 12)}`);
  if (!existsSync(`${out}.finished`)) {
    rmSync(out, { recursive: true, force: true });
    write(out);
    writeFileSync(`${out}.finished`, '');
  }
  return out;
}

/**
 * @param {string} path
 * @returns {BenchStore}
 */
export function existingStore(path) {
  const sizes = sessionFiles(path).map((file) => statSync(file).size);
  if (sizes.length === 0) throw new Error(`no session files below ${path}`);
  return {
    path: resolve(path),
    agent: 'pi',
    sessions: sizes.length,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    largest: sizes.reduce((most, size) => Math.max(most, size), 0),
  };
}
