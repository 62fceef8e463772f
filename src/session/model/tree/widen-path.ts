import type { Entry } from '../entry.ts';

/**
 * A path with every line of the messages that it passes, and with what their tools returned: calls
 * that ran side by side leave lines beside the path. Each is put among those of its kind that are on
 * the path, in the order of the file; results behind the message, where none is on the path. Lines
 * that the agent does not load are no lines of a message that it does.
 */
export function widenPath(path: readonly Entry[], entries: readonly Entry[]): readonly Entry[] {
  const onPath = new Set(path);
  const messages = new Set(path.flatMap((entry) => toMessage(entry) ?? []));
  if (messages.size === 0) return path;
  const callers = new Map<string, string>();
  for (const entry of entries) {
    const own = toMessage(entry);
    // Results may stand in a row, each below the one before.
    const message = own ?? (isResult(entry) ? callers.get(entry.parentId ?? '') : undefined);
    if (entry.id !== undefined && message !== undefined && messages.has(message)) {
      callers.set(entry.id, message);
    }
  }
  const toGroup = (entry: Entry): string | undefined => {
    const message = toMessage(entry);
    if (message !== undefined) return messages.has(message) ? toLines(message) : undefined;
    const caller = isResult(entry) ? callers.get(entry.parentId ?? '') : undefined;
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
    const message = toMessage(entry);
    const results = message === undefined ? group : toResults(message);
    const alone = lastOf.has(results) ? [] : take(results, Infinity);
    return [...earlier, entry, ...take(group, Infinity), ...alone];
  });
}

function isResult({ role }: Entry): boolean {
  return role === 'toolResult';
}

function toMessage({ messageId, isUnloaded }: Entry): string | undefined {
  return isUnloaded && messageId !== undefined ? `unloaded ${messageId}` : messageId;
}

function toLines(message: string): string {
  return `lines of ${message}`;
}

function toResults(message: string): string {
  return `results of ${message}`;
}
