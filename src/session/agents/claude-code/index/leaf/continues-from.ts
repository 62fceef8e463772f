import {
  callsOf,
  type ClaudeCodeEntry,
  getCalls,
  isBoundary,
  resultsOf,
} from '../../entry/to-entry.ts';
import type { Loaded } from '../loaded.ts';
import type { LeafRecord } from './leaf-record.ts';

/**
 * Returns whether the last line continues from the recorded entry, so that the client takes it for the leaf:
 * it is attached to that, or to an entry of the same batch of calls.
 */
export function continuesFrom(
  loaded: Loaded,
  { lastId, isChosen }: LeafRecord,
  recorded: ClaudeCodeEntry,
  isDirect: boolean,
): boolean {
  const last = loaded.get(lastId);
  if (!last) return false;
  return (
    passes(loaded, last, recorded, {
      isDirect,
      batch: isChosen ? {} : findBatch(loaded, recorded),
    }) || isBesideSplit(loaded, last, recorded)
  );
}

/** The calls that what is recorded belongs to. */
interface Batch {
  /** The line of the call, or the last line before what is recorded. */
  readonly caller?: ClaudeCodeEntry | undefined;
  /** The calls that what is recorded gives the results of. */
  readonly answered?: readonly string[] | undefined;
  /** Whether the recorded entry is behind a call, and before its result. */
  readonly isBefore?: boolean | undefined;
}

function findBatch(loaded: Loaded, recorded: ClaudeCodeEntry): Batch {
  const seen = new Set<ClaudeCodeEntry>();
  let top: ClaudeCodeEntry | undefined;
  let at: ClaudeCodeEntry | undefined = recorded;
  while (at && isBeside(at) && !seen.has(at)) {
    seen.add(at);
    top = at;
    at = loaded.parentOf(at);
  }
  if (at?.role === 'toolResult') return { caller: loaded.parentOf(at), answered: getCalls(at) };
  if (!top) return { caller: at };
  const [call] = top.type === 'attachment' ? getCalls(top) : [];
  if (!at || at.messageId === undefined || call === undefined) return {};
  const caller = [at, ...listAbove(loaded, at, at.messageId)].find((one) =>
    callsOf(one).includes(call),
  );
  return caller ? { caller, answered: [call], isBefore: true } : {};
}

function passes(
  loaded: Loaded,
  last: ClaudeCodeEntry,
  recorded: ClaudeCodeEntry,
  { isDirect, batch }: { readonly isDirect: boolean; readonly batch: Batch },
): boolean {
  const { caller, answered = [], isBefore = false } = batch;
  const calls = caller ? callsOf(caller) : [];
  const messageId = calls.length > 0 ? caller?.messageId : undefined;
  const above =
    caller && messageId !== undefined
      ? new Set(listAbove(loaded, caller, messageId))
      : new Set<ClaudeCodeEntry>();
  const seen = new Set<ClaudeCodeEntry>();
  let below: ClaudeCodeEntry | undefined;
  let isInBatch = false;
  for (let at: ClaudeCodeEntry | undefined = last; at && !seen.has(at); at = loaded.parentOf(at)) {
    if (isDirect && at === recorded) return true;
    seen.add(at);
    if (caller && messageId !== undefined) {
      if (isInBatch && at === caller) return true;
      if (at !== caller && at.messageId === messageId && callsOf(at).length > 0) {
        if (above.has(at)) return true;
        isInBatch = true;
      } else if (!isOfMessage(at, messageId)) isInBatch = false;
    }
    const isOtherResult = (call: string): boolean =>
      calls.includes(call) && (isBefore ? calls.length > 1 : !answered.includes(call));
    if (at === caller && below && answered.some((call) => calls.includes(call))) {
      if (resultsOf(below).some(isOtherResult)) return true;
    }
    below = at;
  }
  return false;
}

/**
 * Returns whether the recorded entry is the end of an answer that was split, and the last line continues from
 * there: nothing is attached to either.
 */
function isBesideSplit(loaded: Loaded, last: ClaudeCodeEntry, recorded: ClaudeCodeEntry): boolean {
  const { messageId } = recorded;
  if (messageId === undefined || last === recorded) return false;
  const above = listAbove(loaded, recorded, messageId);
  const lines = [recorded, ...above.filter(({ role }) => role === 'assistant')];
  const top = above.findLastIndex(({ role }) => role === 'assistant');
  const within = above.slice(0, Math.max(top, 0)).filter(({ role }) => role !== 'assistant');
  const [split] = within;
  if (!split || lines.some((line) => callsOf(line).length > 0) || !within.every(isNote))
    return false;
  const seen = new Set<ClaudeCodeEntry>();
  let isSaid = false;
  let first: ClaudeCodeEntry | undefined;
  let at: ClaudeCodeEntry | undefined = last;
  while (at && at !== split) {
    if (seen.has(at)) return false;
    seen.add(at);
    first = at;
    isSaid ||= at.role === 'assistant' || (isUser(at) && at.isMeta !== true);
    at = loaded.parentOf(at);
  }
  if (!at || !isSaid || !first || !(first.time > recorded.time)) return false;
  for (const node of loaded.nodes()) {
    const parentId = loaded.parentIdOf(node);
    if (parentId === recorded.id) return false;
    if (parentId === last.id && node.isSidechain !== true && !isBeside(node)) return false;
  }
  return true;
}

function isUser({ role, type }: ClaudeCodeEntry): boolean {
  return role === 'user' || type === 'compaction';
}

function isNote({ type, customType }: ClaudeCodeEntry): boolean {
  return type === 'attachment' || (type === 'system' && customType !== 'local_command');
}

/** Lists the ancestors of an answer, as long as they are of the same answer or inside it. */
function listAbove(
  loaded: Loaded,
  node: ClaudeCodeEntry,
  messageId: string,
): readonly ClaudeCodeEntry[] {
  const above = new Set<ClaudeCodeEntry>();
  let at = loaded.parentOf(node);
  while (at && at !== node && !above.has(at) && isOfMessage(at, messageId)) {
    above.add(at);
    at = loaded.parentOf(at);
  }
  return [...above];
}

/** Returns whether an entry can stand between the lines of an answer. */
export function isOfMessage(entry: ClaudeCodeEntry, messageId: string): boolean {
  if (entry.role === 'assistant') return entry.messageId === messageId;
  return entry.role === 'toolResult' || isBeside(entry);
}

/** Returns whether an entry says nothing of the conversation by itself. */
export function isBeside(entry: ClaudeCodeEntry): boolean {
  if (entry.type === 'attachment') return true;
  if (entry.type === 'system') return !isBoundary(entry);
  return entry.isMeta === true;
}
