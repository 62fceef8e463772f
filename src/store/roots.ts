import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import type { StoreEnvironment } from '../session/dialect.ts';
import { dialects } from '../session/dialects.ts';
import { toFileError } from '../session/jsonl/file-error.ts';

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    const { code, message } = toFileError(error, path, 'read');
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw new UsageError(`${path}: ${message}`, { cause: error });
  }
}

/**
 * The directories to search: the named ones, or else the agents' own that exist.
 * @throws UsageError when a named one is none, or no agent has one.
 */
export async function findStores(
  named: readonly string[],
  environment: StoreEnvironment,
): Promise<readonly string[]> {
  const stores = named.map((path) => resolve(environment.cwd, path));
  for (const store of stores) {
    if (!(await isDirectory(store))) throw new UsageError(`--store ${store}: is no directory`);
  }
  return stores.length > 0 ? stores : findDefaultStores(environment);
}

/** The same, but none where no agent has one. */
export async function findStoresIfAny(
  named: readonly string[],
  environment: StoreEnvironment,
): Promise<readonly string[]> {
  if (named.length > 0) return findStores(named, environment);
  return filterExisting(await listUsualStores(environment));
}

async function findDefaultStores(environment: StoreEnvironment): Promise<readonly string[]> {
  const usual = await listUsualStores(environment);
  const existing = await filterExisting(usual);
  if (existing.length > 0) return existing;
  throw new UsageError(
    `no session store here: looked for ${usual.join(', ')}. Name one with --store <dir>.`,
  );
}

async function listUsualStores(environment: StoreEnvironment): Promise<readonly string[]> {
  const usual = await Promise.all(dialects.map((dialect) => dialect.defaultStores(environment)));
  return usual.flat();
}

async function filterExisting(paths: readonly string[]): Promise<readonly string[]> {
  const existing: string[] = [];
  for (const path of paths) if (await isDirectory(path)) existing.push(path);
  return existing;
}
