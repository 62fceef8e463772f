import type { Entry } from '../entry.ts';

/**
 * A path with every line of the messages that it passes, and with what their tools returned: calls
 * that ran side by side leave lines beside the path. Each is put among those of its kind that are on
 * the path, in the order of the file; results behind the message, where none is on the path. Lines
 * that the agent does not load belong to no message that it does.
 */
export function widenPath(path: readonly Entry[], all: readonly Entry[]): readonly Entry[] {
  const entries = all.filter(isLoaded);
  const onPath = new Set(path);
  const messageIds = new Set(path.filter(isLoaded).flatMap(({ messageId }) => messageId ?? []));
  if (messageIds.size === 0) return path;
  const callers = new Map<string, string>();
  for (const { id, messageId } of entries) {
    if (id !== undefined && messageId !== undefined && messageIds.has(messageId)) {
      callers.set(id, messageId);
    }
  }
  const toGroup = (entry: Entry): string | undefined => {
    if (!isLoaded(entry)) return undefined;
    const { messageId, role, parentId } = entry;
    if (messageId !== undefined) return messageIds.has(messageId) ? toLines(messageId) : undefined;
    const caller = role === 'toolResult' ? callers.get(parentId ?? '') : undefined;
    return caller === undefined ? undefined : toResults(caller);
  };
  const beside = new Map<string, Entry[]>();
  for (const entry of entries) {
    const group = onPath.has(entry) ? undefined : toGroup(entry);
    if (group === undefined) continue;
    const found = beside.get(group);
    if (found) found.push(entry);
    else beside.set(group, [entry]);
  }
  return beside.size === 0 ? path : insert(path, beside, toGroup);
}

function isLoaded({ isUnloaded }: Entry): boolean {
  return isUnloaded !== true;
}

function insert(
  path: readonly Entry[],
  beside: ReadonlyMap<string, Entry[]>,
  toGroup: (entry: Entry) => string | undefined,
): readonly Entry[] {
  const lastOf = new Map<string | undefined, Entry>(path.map((entry) => [toGroup(entry), entry]));
  const take = (group: string, before: number): readonly Entry[] => {
    const found = beside.get(group) ?? [];
    return found.splice(0, found.filter(({ offset }) => offset < before).length);
  };
  return path.flatMap((entry) => {
    const group = toGroup(entry);
    if (group === undefined) return entry;
    const earlier = take(group, entry.offset);
    if (lastOf.get(group) !== entry) return [...earlier, entry];
    const results = entry.messageId === undefined ? group : toResults(entry.messageId);
    const alone = lastOf.has(results) ? [] : take(results, Infinity);
    return [...earlier, entry, ...take(group, Infinity), ...alone];
  });
}

function toLines(messageId: string): string {
  return `lines of ${messageId}`;
}

function toResults(messageId: string): string {
  return `results of ${messageId}`;
}
