/** Does something as Node 20 does it, which has no SQLite. */
export async function withoutSqlite<T>(work: () => Promise<T>): Promise<T> {
  const find = process.getBuiltinModule.bind(process);
  process.getBuiltinModule = (name: string) => (name === 'node:sqlite' ? undefined : find(name));
  try {
    return await work();
  } finally {
    process.getBuiltinModule = find;
  }
}
