/** Does something as Node 20 does it, which has no SQLite. */
export async function withoutSqlite<T>(work: () => Promise<T>): Promise<T> {
  const find = process.getBuiltinModule;
  process.getBuiltinModule = ((name: string) =>
    name === 'node:sqlite' ? undefined : find(name)) as typeof process.getBuiltinModule;
  try {
    return await work();
  } finally {
    process.getBuiltinModule = find;
  }
}
