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
  const key = createHash('sha256').update(JSON.stringify(options));
  const generator = join(import.meta.dirname, 'store');
  for (const name of readdirSync(generator).toSorted()) {
    key.update(readFileSync(join(generator, name)));
  }
  const out = join(
    folder,
    `store-${options.agent ?? `v${options.version}`}-${key.digest('hex').slice(0, 12)}`,
  );
  if (!existsSync(`${out}.finished`)) {
    rmSync(out, { recursive: true, force: true });
    writeStore({ ...options, out });
    writeFileSync(`${out}.finished`, '');
  }
  return { ...existingStore(out), agent: options.agent ?? 'pi' };
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
