import type { Entry } from '../entry.ts';

/**
 * A path with every line of the messages that it passes, and with what their tools returned: calls
 * that ran side by side leave lines beside the path. Each is put behind the last line of its kind.
 */
export function widenPath(path: readonly Entry[], entries: readonly Entry[]): readonly Entry[] {
  const onPath = new Set(path);
  const messageIds = new Set(path.flatMap(({ messageId }) => messageId ?? []));
  if (messageIds.size === 0) return path;
  const members = new Map<string, Entry[]>();
  const callers = new Map<string, string>();
  for (const entry of entries) {
    const { messageId, id } = entry;
    if (messageId === undefined || !messageIds.has(messageId)) continue;
    if (id !== undefined) callers.set(id, messageId);
    if (!onPath.has(entry)) addTo(members, messageId, entry);
  }
  const results = new Map<string, Entry[]>();
  for (const entry of entries) {
    if (entry.role !== 'toolResult' || onPath.has(entry)) continue;
    const messageId = callers.get(entry.parentId ?? '');
    if (messageId !== undefined) addTo(results, messageId, entry);
  }
  return members.size + results.size === 0 ? path : insert(path, members, results);
}

function addTo(map: Map<string, Entry[]>, key: string, entry: Entry): void {
  const found = map.get(key);
  if (found) found.push(entry);
  else map.set(key, [entry]);
}

/** Behind the last line of a message that is on the path: its other lines, then results. */
function insert(
  path: readonly Entry[],
  members: ReadonlyMap<string, readonly Entry[]>,
  results: ReadonlyMap<string, readonly Entry[]>,
): readonly Entry[] {
  const lastOf = new Map<string, Entry>();
  for (const entry of path) if (entry.messageId !== undefined) lastOf.set(entry.messageId, entry);
  return path.flatMap((entry) => {
    const { messageId } = entry;
    if (messageId === undefined || lastOf.get(messageId) !== entry) return entry;
    return [entry, ...(members.get(messageId) ?? []), ...(results.get(messageId) ?? [])];
  });
}
