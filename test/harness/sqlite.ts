import { openWritable } from '../store/database/open-writable.ts';

/*
 * Node 20 has no SQLite, so the commands keep all sessions that have rows in databases there: with another one, what
 * they decide about these and do to the rows is tested there, too.
 */

const find = process.getBuiltinModule.bind(process);

/** As the class of Node: called with `new`, it returns a connection. */
function DatabaseSync(path: string): object {
  return openWritable(path);
}

if (find('node:sqlite') === undefined) {
  process.getBuiltinModule = (name: string) =>
    name === 'node:sqlite' ? { DatabaseSync } : find(name);
}
