import type { Problem } from '../../../model/summary.ts';
import { type ClaudeCodeEntry, isLeafCandidate } from '../entry/to-entry.ts';
import type { LeafRecord } from './leaf-record.ts';

/** The nodes of a file that the client loads, with the parents that it gives them. */
export interface Nodes {
  /** In file order. */
  readonly all: readonly ClaudeCodeEntry[];
  get(id: string): ClaudeCodeEntry | undefined;
  parentOf(node: ClaudeCodeEntry): ClaudeCodeEntry | undefined;
}

export interface FoundLeaf {
  /** Undefined: the conversation is empty. */
  readonly leaf: ClaudeCodeEntry | undefined;
  /** Why the client does not open the session. */
  readonly problem?: Problem;
}

const NO_CONVERSATION: Problem = {
  code: 'conversation-missing',
  message: 'holds no message of a conversation: Claude Code does not open it',
};

const SIDECHAIN_LEAF: Problem = {
  code: 'leaf-sidechain',
  message: 'its last-prompt names a line of a sub-agent: Claude Code does not open it',
};

/** Where 2.1.330 goes on. */
export function findLeaf(nodes: Nodes, record: LeafRecord): FoundLeaf {
  if (record.isEmptied) return { leaf: undefined };
  const tail = findTail(nodes);
  if (!tail) return { leaf: undefined, problem: NO_CONVERSATION };
  const recorded = record.id === undefined ? undefined : nodes.get(record.id);
  if (recorded?.isSidechain) return { leaf: undefined, problem: SIDECHAIN_LEAF };
  if (!recorded) return { leaf: tail };
  if (record.pinLine !== undefined) {
    const { pinLine } = record;
    const since = [...findBelow(nodes, recorded)].filter(({ line }) => line > pinLine);
    return { leaf: findNewest(since) ?? recorded };
  }
  return { leaf: isBelow(nodes, tail, recorded) ? tail : recorded };
}

/** The last node in file order, or where the branch that it is in the middle of ends. */
function findTail(nodes: Nodes): ClaudeCodeEntry | undefined {
  const candidates = nodes.all.filter(isLeafCandidate);
  if (!candidates.some(({ type }) => type === 'message' || type === 'compaction')) return undefined;
  const parents = new Set(candidates.map((node) => findCandidateAbove(nodes, node)));
  // A compaction that was begun and not finished is not the end.
  const last = candidates.findLast((node) => !isBoundary(node) || parents.has(node));
  if (!last || !parents.has(last)) return last;
  const ends = [...findBelow(nodes, last)].filter((node) => !parents.has(node));
  return findNewest(ends) ?? last;
}

function isBoundary({ customType, type }: ClaudeCodeEntry): boolean {
  return type === 'system' && customType === 'compact_boundary';
}

function findCandidateAbove(nodes: Nodes, node: ClaudeCodeEntry): ClaudeCodeEntry | undefined {
  let at = nodes.parentOf(node);
  while (at && !isLeafCandidate(at)) at = nodes.parentOf(at);
  return at;
}

function isBelow(nodes: Nodes, node: ClaudeCodeEntry, above: ClaudeCodeEntry): boolean {
  for (let at = nodes.parentOf(node); at; at = nodes.parentOf(at)) if (at === above) return true;
  return false;
}

/** Every candidate that hangs on a node, in file order; each node is looked at once. */
function findBelow(nodes: Nodes, above: ClaudeCodeEntry): ReadonlySet<ClaudeCodeEntry> {
  const known = new Map<ClaudeCodeEntry, boolean>([[above, true]]);
  for (const node of nodes.all) {
    const way: ClaudeCodeEntry[] = [];
    let at: ClaudeCodeEntry | undefined = node;
    while (at && !known.has(at)) {
      way.push(at);
      at = nodes.parentOf(at);
    }
    const isUnder = at !== undefined && known.get(at) === true;
    for (const passed of way) known.set(passed, isUnder);
  }
  const found = nodes.all.filter((node) => node !== above && known.get(node) === true);
  return new Set(found.filter(isLeafCandidate));
}

/** By time; of one time, the last in the file. */
function findNewest(nodes: readonly ClaudeCodeEntry[]): ClaudeCodeEntry | undefined {
  let newest: ClaudeCodeEntry | undefined;
  for (const node of nodes) {
    if (!newest || !(node.time < newest.time)) newest = node;
  }
  return newest;
}
