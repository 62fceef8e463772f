import { vi } from 'vitest';

/** Does something as Node 20 does it, which has no SQLite. */
export async function withoutSqlite<T>(work: () => Promise<T>): Promise<T> {
  const find = process.getBuiltinModule.bind(process);
  const spy = vi
    .spyOn(process, 'getBuiltinModule')
    .mockImplementation((name) => (name === 'node:sqlite' ? undefined : find(name)));
  try {
    return await work();
  } finally {
    spy.mockRestore();
  }
}
