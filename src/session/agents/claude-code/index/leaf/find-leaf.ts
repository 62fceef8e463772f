import type { Problem } from '../../../../model/summary.ts';
import { type ClaudeCodeEntry, isLeafCandidate, isMessage } from '../../entry/to-entry.ts';
import { continuesFrom } from './continues-from.ts';
import type { LeafRecord } from './leaf-record.ts';
import type { Loaded } from '../loaded.ts';

export interface FoundLeaf {
  /** Undefined: the conversation is empty. */
  readonly leaf: ClaudeCodeEntry | undefined;
  /** The reason why the client does not open the session. */
  readonly problem?: Problem;
}

export const NO_CONVERSATION: Problem = {
  code: 'conversation-missing',
  message: 'holds no message of a conversation: Claude Code does not open it',
};

const SIDECHAIN_LEAF: Problem = {
  code: 'leaf-sidechain',
  message: 'its last-prompt names a line of a sub-agent: Claude Code does not open it',
};

/**
 * Finds the entry at which 2.1.332 continues: a message, even if another entry is recorded. `keepsSome`:
 * whether the last boundary keeps some of the time before it.
 */
export function findLeaf(loaded: Loaded, record: LeafRecord, keepsSome: boolean): FoundLeaf {
  if (record.isEmptied) return { leaf: undefined };
  const nodes = [...loaded.nodes()];
  const candidates = nodes.filter(isLeafCandidate);
  // The client opens a file without any message if it holds another entry.
  if (candidates.length === 0 || (!candidates.some(isMessage) && nodes.some(isMessage))) {
    return { leaf: undefined, problem: NO_CONVERSATION };
  }
  const recorded = loaded.get(record.id);
  const isPinned = record.isPinned && recorded?.isSidechain !== true;
  if (!keepsSome || (isPinned && recorded)) {
    const named = recorded && chooseBetween(loaded, record, recorded);
    const message = findMessage(
      loaded,
      named ?? (keepsSome ? undefined : findTail(loaded, record)),
    );
    if (message) return toFound(message);
  }
  const ends = findEnds(loaded, nodes);
  if (ends.size > 1) {
    const isKept =
      recorded !== undefined &&
      ends.has(recorded) &&
      (record.isPinned || !continuesFrom(loaded, record, recorded, false));
    const message = findMessage(loaded, isKept ? recorded : loaded.get(record.lastId));
    if (message) return toFound(message);
  }
  const newest = findNewest([...ends].filter(isLeafCandidate));
  if (newest || ends.size > 0) return newest ? { leaf: newest } : toFound([...ends][0]);
  return { leaf: findNewest(candidates) };
}

function toFound(leaf: ClaudeCodeEntry | undefined): FoundLeaf {
  return leaf?.isSidechain ? { leaf: undefined, problem: SIDECHAIN_LEAF } : { leaf };
}

/** Chooses the recorded entry, or the last line if it continues from that. */
function chooseBetween(
  loaded: Loaded,
  record: LeafRecord,
  recorded: ClaudeCodeEntry,
): ClaudeCodeEntry {
  const last = loaded.get(record.lastId);
  if (!last || record.isPinned || last === recorded) return recorded;
  return continuesFrom(loaded, record, recorded, true) ? last : recorded;
}

/** Finds the last line; or, in a file that names no leaf, the newest one attached to it. */
function findTail(loaded: Loaded, record: LeafRecord): ClaudeCodeEntry | undefined {
  const { isRecorded, lastId, newestId } = record;
  const last = loaded.get(lastId);
  if (!last || isRecorded || newestId === undefined || newestId === lastId) return last;
  const known = new Map<ClaudeCodeEntry, boolean>([[last, true]]);
  const isBelow = (node: ClaudeCodeEntry): boolean => {
    const way: ClaudeCodeEntry[] = [];
    let at: ClaudeCodeEntry | undefined = node;
    while (at && !known.has(at)) {
      known.set(at, false);
      way.push(at);
      at = loaded.parentOf(at);
    }
    const isUnder = at !== undefined && known.get(at) === true;
    for (const passed of way) known.set(passed, isUnder);
    return isUnder;
  };
  let newest = last;
  let time = -Infinity;
  for (const node of loaded.nodes()) {
    if (node.isSidechain || node === last || !(node.time >= time) || !isBelow(node)) continue;
    newest = node;
    ({ time } = node);
  }
  return newest;
}

/** The nearest message at a node or above it; `known`: of nodes that were looked at before. */
function findMessage(
  loaded: Loaded,
  node: ClaudeCodeEntry | undefined,
  known = new Map<ClaudeCodeEntry, ClaudeCodeEntry | undefined>(),
): ClaudeCodeEntry | undefined {
  const seen = new Set<ClaudeCodeEntry>();
  let at = node;
  while (at && !isMessage(at) && !seen.has(at) && !known.has(at)) {
    seen.add(at);
    at = loaded.parentOf(at);
  }
  const found = at && (known.get(at) ?? (isMessage(at) ? at : undefined));
  for (const one of seen) known.set(one, found);
  return found;
}

/** The last message of every branch. */
function findEnds(loaded: Loaded, nodes: readonly ClaudeCodeEntry[]): ReadonlySet<ClaudeCodeEntry> {
  const parents = new Set<string | null>();
  const spokenParents = new Set<string | null>();
  for (const node of nodes) {
    const parentId = loaded.parentIdOf(node);
    parents.add(parentId);
    if (isMessage(node)) spokenParents.add(parentId);
  }
  const ends = new Set<ClaudeCodeEntry>();
  const known = new Map<ClaudeCodeEntry, ClaudeCodeEntry | undefined>();
  for (const node of nodes) {
    if (parents.has(node.id ?? '')) continue;
    const message = findMessage(loaded, node, known);
    if (message && !spokenParents.has(message.id ?? '')) ends.add(message);
  }
  return ends;
}

/** Finds the node with the latest time; of one time, the first in the file. */
function findNewest(nodes: readonly ClaudeCodeEntry[]): ClaudeCodeEntry | undefined {
  let newest: ClaudeCodeEntry | undefined;
  let time = -Infinity;
  for (const node of nodes) {
    const own = Number.isNaN(node.time) ? -Infinity : node.time;
    if (own <= time && time !== -Infinity) continue;
    newest = node;
    time = own;
  }
  return newest;
}
