import type { Forest } from '../../../dialect/reduction.ts';
import type { Entry } from '../../../model/entry.ts';
import type { AsideType } from '../format.ts';
import { listPreservedIds } from './needed.ts';
import { isBoundary } from '../entry/to-entry.ts';

/** State of which the last line counts. */
const LAST_COUNTS: ReadonlySet<string> = new Set<AsideType>([
  'custom-title',
  'agent-name',
  'ai-title',
  'agent-color',
  'agent-setting',
  'tag',
  'mode',
  'permission-mode',
  'session-mode',
  'atis-latch',
  'tools-used',
  'cost-state',
  'worktree-state',
]);

/**
 * Lines that say how things stood, where a later one says it, too: progress of tools, the state of
 * files before a message that was noted several times or has no message, settings and titles. Which
 * `last-prompt` counts depends on those before it: only those before the last boundary go.
 */
export function findSuperseded({ entries, tree }: Forest): ReadonlySet<Entry> {
  const preserved = listPreservedIds(entries);
  const superseded = new Set<Entry>();
  const later = new Set<string>();
  const seen = new Set<string>();
  let isBeforeBoundary = false;
  let hasLastSnapshot = false;
  for (const entry of entries.toReversed()) {
    const { type, id = '', targetId } = entry;
    if (isBoundary(entry)) isBeforeBoundary = true;
    if (type === 'progress') {
      if (!preserved.has(id)) superseded.add(entry);
    } else if (type === 'file-history-snapshot') {
      const isUseless = targetId !== undefined && (seen.has(targetId) || !tree.get(targetId));
      if (hasLastSnapshot && isUseless) superseded.add(entry);
      hasLastSnapshot = true;
      if (targetId !== undefined) seen.add(targetId);
    } else if (type === 'last-prompt') {
      if (isBeforeBoundary) superseded.add(entry);
    } else if (entry.aside && LAST_COUNTS.has(type)) {
      if (later.has(type)) superseded.add(entry);
      later.add(type);
    }
  }
  return superseded;
}
