/** A session file, and the id that it gives the session. */
interface Known {
  readonly path: string;
  readonly id: string;
}

/**
 * The files of the oldest format that `migrate` has written again: `x.json` beside `x.jsonl` of the
 * same id. Both hold one session, and the agent lists the new file only.
 */
export function findSuperseded(sessions: Iterable<Known>): Set<string> {
  const ids = new Map<string, string>();
  for (const { path, id } of sessions) ids.set(path, id);
  const found = new Set<string>();
  for (const [path, id] of ids) {
    if (id !== '' && path.endsWith('.json') && ids.get(`${path}l`) === id) found.add(path);
  }
  return found;
}
