import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A Node that can write rows: this one, or the one that `npm run test:nodes` installs; undefined where there is none. */
export const NEWER_NODE: string | undefined = findNode();

function findNode(): string | undefined {
  if (process.getBuiltinModule('node:sqlite') !== undefined) return process.execPath;
  const path = join(import.meta.dirname, '../package/node_modules/node-24/bin/node');
  return existsSync(path) ? path : undefined;
}
