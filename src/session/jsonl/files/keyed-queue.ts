/** Makes a queue that does work of the same key one after another, also after work that failed. */
export function createKeyedQueue(): <T>(
  key: string | undefined,
  work: () => Promise<T>,
) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    if (key === undefined) return work();
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
}
