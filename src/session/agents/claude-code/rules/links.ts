import type { Entry } from '../../../model/entry.ts';
import {
  type ClaudeCodeEntry,
  getWrittenParent,
  isBoundary,
  isLeafCandidate,
} from '../entry/to-entry.ts';
import { Roots } from '../index/tree/roots.ts';
import { findCycles } from '../../../rules/cycles.ts';
import { remember } from '../../../rules/remember.ts';
import type { CheckedClaudeCodeSession } from './node-lines.ts';
import { lastOfEach } from '../index/tree/place-nodes.ts';
import { countLeading } from '../../../model/count-leading.ts';

/** An entry whose parent is not in the file. */
export interface Orphan {
  readonly entry: ClaudeCodeEntry;
  /** The parent that the line names. */
  readonly parentId: string;
  /** The entry to which the client attaches it instead. */
  readonly bridge: Entry | undefined;
  /** The entry to which it may be attached permanently: the bridge, or the entry before it in the file. */
  readonly standIn: Entry | undefined;
}

/** The faults in the parents that entries of a session name. */
export interface Links {
  readonly orphans: readonly Orphan[];
  readonly cycles: readonly (readonly ClaudeCodeEntry[])[];
}

/** Finds what is wrong with parents, for all rules that ask. */
export const findLinks = remember((checked: CheckedClaudeCodeSession): Links => {
  const { session } = checked;
  const byId = lastOfEach(session.entries);
  const cycles = findCycles(byId.values(), (entry) => byId.get(getWrittenParent(entry) ?? ''));
  return { orphans: findOrphans(checked, byId), cycles };
});

type ById = ReadonlyMap<string, ClaudeCodeEntry>;

function findOrphans({ tree }: CheckedClaudeCodeSession, byId: ById): readonly Orphan[] {
  const nodes = [...byId.values()].filter(
    ({ isSidechain, isUnloaded }) => !isSidechain && !isUnloaded,
  );
  const lost = nodes.filter((entry) => {
    const parentId = getWrittenParent(entry);
    // Entries that a boundary keeps are attached to it, whatever their lines name.
    const isRelinked = entry.parentId !== parentId && !entry.isBridged;
    const isOrphan = parentId !== null && !byId.has(parentId) && !isRelinked;
    return isOrphan && !isBoundary(entry);
  });
  if (lost.length === 0) return [];
  const inOrder = nodes.filter(isLeafCandidate).toSorted((a, b) => a.offset - b.offset);
  const roots = new Roots(nodes.flatMap((node) => toLink(node, tree.parentOf(node))));
  return lost
    .toSorted((a, b) => a.offset - b.offset)
    .map((entry) => {
      const bridge = tree.parentOf(entry);
      const before = bridge ? undefined : findBefore(inOrder, entry);
      // An entry is not below itself.
      const standIn = before && roots.find(before) !== entry ? before : undefined;
      if (standIn) roots.attach(entry, standIn);
      return { entry, parentId: getWrittenParent(entry) ?? '', bridge, standIn: bridge ?? standIn };
    });
}

function toLink(node: Entry, parent: Entry | undefined): readonly (readonly [Entry, Entry])[] {
  return parent ? [[node, parent]] : [];
}

/** The entry before another in the file. */
function findBefore(inOrder: readonly Entry[], { offset }: Entry): Entry | undefined {
  return inOrder[countLeading(inOrder, (one) => one.offset < offset) - 1];
}
