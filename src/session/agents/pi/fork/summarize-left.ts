import { type Entry, ROOT } from '../../../model/entry.ts';
import type { ForkPlan, ForkWorld, SummarizeLeft } from '../../../dialect/forking.ts';
import type { LeftSummary } from '../../../dialect/hooks/tree-hooks.ts';
import type { JsonObject } from '../../../jsonl/edit/json.ts';
import { summarizeBranch } from './summarize-branch.ts';
import { toStoredUsage } from '../compaction/to-entry.ts';
import { getMessage } from '../format.ts';
import { createEntryId } from '../places/session-place.ts';
import type { ReadPayload } from '../../../dialect/fold.ts';

/** Undefined where nothing that is left says anything to the model. */
export function summarizeLeft(
  entries: readonly JsonObject[],
  { summarizer, instructions, signal }: SummarizeLeft & { readonly signal: AbortSignal },
): Promise<LeftSummary | undefined> {
  return summarizeBranch(entries, { summarizer, instructions, signal });
}

export async function readLeft(
  left: readonly Entry[],
  readPayload: ReadPayload,
): Promise<readonly JsonObject[]> {
  const entries: JsonObject[] = [];
  for (const entry of left) entries.push(toCurrent(await readPayload(entry), entry));
  return entries;
}

/** The index knows the ids, and the role of a message, that an entry has after migration. */
function toCurrent(payload: JsonObject, { id, parentId, role }: Entry): JsonObject {
  const message = getMessage(payload);
  const isRenamed = message && role !== undefined && message['role'] !== role;
  const placed = { ...payload, ...(id !== undefined && { id }), parentId };
  return isRenamed ? { ...placed, message: { ...message, role } } : placed;
}

/** The plan with the entry at its end that `branchWithSummary` of pi 0.87.1 would append. */
export function addSummary(plan: ForkPlan, summary: LeftSummary, world: ForkWorld): ForkPlan {
  const id = createEntryId(world.createId, (taken) => plan.ids.has(taken));
  const place = { id, parentId: plan.leafId, leftId: plan.left?.oldLeafId };
  const entry = toSummaryEntry(summary, place, world.now());
  const pieces = [...plan.pieces, { text: JSON.stringify(entry) }];
  const ids = new Set(plan.ids).add(id);
  return { ...plan, pieces, ids, entryCount: plan.entryCount + 1, leafId: id };
}

/** The entry that `branchWithSummary` of pi 0.87.1 writes. `leftId`: of the leaf that is left. */
export function toSummaryEntry(
  { text, details, usage, fromHook }: LeftSummary,
  {
    id,
    parentId,
    leftId,
  }: { id: string; parentId: string | null; leftId: string | null | undefined },
  now: number,
): JsonObject {
  return {
    type: 'branch_summary',
    id,
    parentId,
    timestamp: new Date(now).toISOString(),
    fromId: leftId ?? ROOT,
    summary: text,
    ...(details !== undefined && { details }),
    ...(usage && { usage: toStoredUsage(usage) }),
    fromHook,
  };
}
