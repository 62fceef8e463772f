import type { Rule } from '../../../dialect/rule.ts';
import { quote } from '../../../rules/wording.ts';
import { MAX_LOADED_BYTES } from '../index/tree/place-nodes.ts';
import { checkTree } from './node-lines.ts';
import { formatCounted } from '../../../model/text/numbers.ts';
import { isBoundary } from '../entry/to-entry.ts';

/** A list of kept messages with a hole. */
export const preservedMissing: Rule = {
  id: 'preserved-missing',
  level: 'error',
  fixable: false,
  summary: 'a compaction of Claude Code that keeps an entry which is not in the file',
  help:
    'A compaction names the entries that it keeps in the conversation beside its summary. If one ' +
    'of them is not in the file, Claude Code keeps none of them: the model no longer gets the ' +
    'last turns before the compaction. Look for a damaged line before it, and repair that; or ' +
    'remove the uuid from the lists in `compactMetadata`.',
  check: (report) => ({
    session: checkTree(({ session, tree }) => {
      for (const boundary of session.entries) {
        const named = boundary.preserved;
        if (!named) continue;
        const { ids, headId, tailId } = named;
        const wanted = ids ?? [headId, tailId];
        const missing = wanted.flatMap((id) => (id === undefined || tree.get(id) ? [] : id));
        const [first] = missing;
        if (first === undefined) continue;
        const count = formatCounted(missing.length, 'entry', 'entries');
        const which = missing.length === 1 ? quote(first) : `${quote(first)} and others`;
        report(boundary, `keeps ${count} not in the file (${which}): nothing is kept`);
      }
    }),
  }),
};

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
