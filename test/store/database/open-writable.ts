import sqlite from 'node-sqlite3-wasm';
import type { Connection, OpenDatabase } from '../../../src/store/database/sqlite.ts';

/** What Node 20 has no SQLite for: one that is compiled to WebAssembly, for tests that are alone with a file. */
export const openWritable: OpenDatabase = (path) => {
  const database = new sqlite.Database(path);
  database.exec(
    'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF',
  );
  const connection: Connection = {
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
    prepare: (sql) => ({
      setReadBigInts: () => undefined,
      all: (...values) => database.all(sql, values as never[]).map(toBigInts),
      run: (...values) => database.run(sql, values as never[]),
    }),
  };
  return connection;
};

function toBigInts(row: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(row).map(([key, value]) => [
    key,
    Number.isInteger(value) ? BigInt(value as number) : value,
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}
