import { openWritable } from '../store/database/open-writable.ts';
import type { Connection } from '../../src/store/database/sqlite.ts';

/*
 * Node 20 has no SQLite, so the commands keep all sessions that have rows in databases there: with another one, what
 * they decide about these and do to the rows is tested there, too.
 */

const find = process.getBuiltinModule.bind(process);

class DatabaseSync {
  constructor(path: string) {
    // oxlint-disable-next-line no-constructor-return -- made as Node makes its own
    return openWritable(path) as Connection & this;
  }
}

if (find('node:sqlite') === undefined) {
  process.getBuiltinModule = ((name: string) =>
    name === 'node:sqlite' ? { DatabaseSync } : find(name)) as typeof process.getBuiltinModule;
}
