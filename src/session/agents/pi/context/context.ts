import type { ContextSettings } from '../../../dialect/dialect.ts';
import type { Entry } from '../../../model/entry.ts';

/**
 * The entries of a path that count for the model's context, in the model's order: the latest
 * compaction, then what it keeps (system messages left out), then all after it. Without a
 * compaction, the path. As `buildContextEntries` of pi 1.6.0. Nothing counts that comes before the last `/clear` of
 * oh-my-pi, unless there is a compaction after it: as `buildSessionContext` of 18.3.4.
 */
export function selectContext(path: readonly Entry[]): readonly Entry[] {
  const at = path.findLastIndex((entry) => entry.type === 'compaction');
  const reset = path.findLastIndex((entry) => entry.type === RESET_TYPE);
  if (reset > at) return path.slice(reset + 1);
  const compaction = path[at];
  if (!compaction) return path;
  const before = path.slice(0, at);
  const firstKept = before.findIndex(
    (entry) => entry.id !== undefined && entry.id === compaction.firstKeptEntryId,
  );
  const kept = firstKept === -1 ? [] : before.slice(firstKept);
  return [compaction, ...kept.filter((entry) => entry.role !== 'system'), ...path.slice(at + 1)];
}

const RESET_TYPE = 'reset_boundary';

const CONTRIBUTING: ReadonlySet<string> = new Set([
  'message',
  'custom_message',
  'branch_summary',
  'compaction',
]);

/** Returns whether an entry of this type can put a message into the context. */
export function contributes({ type }: Entry): boolean {
  return CONTRIBUTING.has(type);
}

/** The last context edit of each target among the chosen entries. */
export function findEdits(context: readonly Entry[]): ReadonlyMap<string, Entry> {
  const edits = new Map<string, Entry>();
  for (const entry of context) {
    if (entry.type === 'context_edit' && entry.targetId !== undefined) {
      edits.set(entry.targetId, entry);
    }
  }
  return edits;
}

/** The thinking level and the model that a path ends with. */
export function getContextSettings(path: readonly Entry[]): ContextSettings {
  const thinking = path.findLast((entry) => entry.type === 'thinking_level_change');
  const model = path.findLast((entry) => entry.model !== undefined);
  return { thinkingLevel: thinking?.thinkingLevel ?? 'off', model: model?.model ?? null };
}
