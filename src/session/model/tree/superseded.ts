/** A session file, and the id that it gives the session. */
interface Known {
  readonly path: string;
  readonly id: string;
}

/**
 * The files of the oldest format that `migrate` has written again: `x.json` beside `x.jsonl` of the
 * same id. Both hold one session, and the agent lists the new file only.
 */
export function findSuperseded(sessions: readonly Known[]): Set<string> {
  const old = new Map<string, string>();
  for (const { path, id } of sessions) {
    if (id !== '' && path.endsWith('.json')) old.set(`${path}l`, id);
  }
  const found = new Set<string>();
  if (old.size === 0) return found;
  for (const { path, id } of sessions) if (old.get(path) === id) found.add(path.slice(0, -1));
  return found;
}
