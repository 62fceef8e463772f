import type { Rule } from '../../../dialect/rule.ts';
import { quote } from '../../../rules/wording.ts';
import { lastOfEach, MAX_LOADED_BYTES } from '../index/tree/place-nodes.ts';
import { checkTree } from './node-lines.ts';
import { formatCounted } from '../../../model/text/numbers.ts';
import {
  type ClaudeCodeEntry,
  getWrittenParent,
  isBoundary,
  type Preserved,
} from '../entry/to-entry.ts';

/** A list of kept messages with a hole, or without a place. */
export const preservedMissing: Rule = {
  id: 'preserved-missing',
  level: 'error',
  fixable: false,
  summary: 'a compaction of Claude Code that keeps an entry which is not in the file',
  help:
    'A compaction names the entries that it keeps in the conversation beside its summary, and the ' +
    'entry behind which they are put (`anchorUuid`): the summary or the boundary. If one of these ' +
    'is not in the file or not named, or both ends of the kept part are not on one path, Claude ' +
    'Code keeps none of them: the model no longer gets the last turns before the compaction. Look ' +
    'for a damaged line before it, and repair that; or correct the uuids in `compactMetadata`.',
  check: (report) => ({
    session: checkTree(({ session }) => {
      const byId = lastOfEach(session.entries);
      const last = session.entries.findLast(isBoundary);
      for (const boundary of session.entries) {
        if (!boundary.preserved) continue;
        const fault =
          findPreservedFault(boundary, byId) ??
          (boundary === last ? findBrokenSegment(boundary.preserved, byId) : undefined);
        if (fault !== undefined) report(boundary, `${fault}: nothing is kept`);
      }
    }),
  }),
};

type ById = ReadonlyMap<string, ClaudeCodeEntry>;

function findPreservedFault(
  { offset, preserved }: ClaudeCodeEntry,
  byId: ById,
): string | undefined {
  const { ids, headId, tailId, anchorId } = preserved ?? {};
  if (ids?.length === 0) return undefined;
  const wanted = ids ?? [headId, tailId];
  const missing = wanted.flatMap((id) => (id === undefined || byId.has(id) ? [] : id));
  const [first] = missing;
  if (first !== undefined) {
    const count = formatCounted(missing.length, 'entry', 'entries');
    const which = missing.length === 1 ? quote(first) : `${quote(first)} and others`;
    return `keeps ${count} not in the file (${which})`;
  }
  if (wanted.some((id) => id === undefined)) return 'does not name both ends of what it keeps';
  const anchor = byId.get(anchorId ?? '');
  if (!anchor) return 'puts what it keeps behind an entry that is not in the file';
  return anchor.offset < offset ? 'puts what it keeps behind an entry before it' : undefined;
}

function findBrokenSegment({ ids, headId, tailId }: Preserved, byId: ById): string | undefined {
  if (ids || isAbove(headId, tailId, byId)) return undefined;
  return 'keeps what is between two entries that are not on one path';
}

/** Returns whether a line is above another one, or is that one, by the parents that the lines name. */
function isAbove(headId: string | undefined, tailId: string | undefined, byId: ById): boolean {
  const seen = new Set<ClaudeCodeEntry>();
  let at = byId.get(tailId ?? '');
  for (; at && !seen.has(at) && at.id !== headId; at = byId.get(getWrittenParent(at) ?? '')) {
    seen.add(at);
  }
  return at !== undefined && at.id === headId;
}

/** A compaction that was begun and never finished. */
export const boundaryUnsummarized: Rule = {
  id: 'boundary-unsummarized',
  level: 'warning',
  fixable: false,
  summary: 'a compaction of Claude Code without a summary',
  help:
    'The model is sent nothing from before a boundary; the summary after it stands for that. ' +
    'Without a summary, the model knows nothing of what came before. If nothing follows the ' +
    'boundary, Claude Code continues as if there were no compaction; 2.0.56 then starts without a ' +
    'history.',
  check: (report) => ({
    session: checkTree(({ session }) => {
      const nodes = session.entries.filter(({ aside }) => !aside);
      for (const [index, boundary] of nodes.entries()) {
        if (!isBoundary(boundary)) continue;
        const rest = nodes.slice(index + 1);
        const next = rest.findIndex(isBoundary);
        const own = next === -1 ? rest : rest.slice(0, next);
        if (own.some(({ type }) => type === 'compaction')) continue;
        report(boundary, 'no summary follows this compaction');
      }
    }),
  }),
};

/** Branches that a large file hides. */
export const branchesUnloaded: Rule = {
  id: 'branches-unloaded',
  level: 'warning',
  fixable: false,
  summary: 'a file of Claude Code so large that entries before its last compaction are not read',
  help:
    'Before the last compaction of a file over 5 MiB, Claude Code reads only what that compaction ' +
    'keeps. Earlier branches can no longer be reached. `coppice fork --at <entry>` makes one a ' +
    'session of its own; `coppice compact` with reducers makes the file smaller.',
  check: (report) => ({
    session: checkTree(({ session, tree }) => {
      if (session.stamp.size <= MAX_LOADED_BYTES) return;
      const boundary = session.entries.findLast(isBoundary);
      if (!boundary) return;
      const unloaded = session.entries.filter(({ isUnloaded }) => isUnloaded);
      // Results of calls side by side are ends, too, and not branches.
      const ends = unloaded.filter(
        (entry) => entry.role !== 'toolResult' && tree.childrenOf(entry).length === 0,
      );
      if (ends.length < 2) return;
      const count = formatCounted(ends.length, 'branch', 'branches');
      report(boundary, `${count} before this compaction cannot be reached: over 5 MiB`);
    }),
  }),
};
