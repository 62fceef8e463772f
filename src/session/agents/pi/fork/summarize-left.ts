import type { Entry } from '../../../model/entry.ts';
import type { ForkPlan, ForkWorld, LeftSummary, SummarizeLeft } from '../../../dialect/forking.ts';
import type { JsonObject } from '../../../jsonl/edit/json.ts';
import { summarizeBranch } from './summarize-branch.ts';
import { toStoredUsage } from '../compaction/to-entry.ts';
import { getMessage } from '../format.ts';
import { createEntryId } from '../places/session-id.ts';
import type { ReadPayload } from '../../../dialect/fold.ts';

/** What pi names where no entry had been left. */
const ROOT = 'root';

/** Undefined where nothing that is left says anything to the model. */
export async function summarizeLeft(
  left: readonly Entry[],
  readPayload: ReadPayload,
  { summarizer, instructions, signal }: SummarizeLeft & { readonly signal: AbortSignal },
): Promise<LeftSummary | undefined> {
  const entries: JsonObject[] = [];
  for (const entry of left) entries.push(withRole(await readPayload(entry), entry));
  const made = await summarizeBranch(entries, { summarizer, instructions, signal });
  return made.kind === 'summary' ? made : undefined;
}

/** The index knows the role that a message has after migration. */
function withRole(entry: JsonObject, { role }: Entry): JsonObject {
  const message = getMessage(entry);
  if (!message || role === undefined || message['role'] === role) return entry;
  return { ...entry, message: { ...message, role } };
}

/** The plan with the entry at its end that `branchWithSummary` of pi 0.87.1 would append. */
export function addSummary(plan: ForkPlan, summary: LeftSummary, world: ForkWorld): ForkPlan {
  const id = createEntryId(world.createId, (taken) => plan.ids.has(taken));
  const place = { id, parentId: plan.leafId, leftId: plan.left.at(-1)?.id };
  const entry = toSummaryEntry(summary, place, world.now());
  const pieces = [...plan.pieces, { text: JSON.stringify(entry) }];
  const ids = new Set(plan.ids).add(id);
  return { ...plan, pieces, ids, entryCount: plan.entryCount + 1, leafId: id };
}

/** The entry that `branchWithSummary` of pi 0.87.1 writes. `leftId`: of the leaf that is left. */
export function toSummaryEntry(
  { text, details, usage }: LeftSummary,
  { id, parentId, leftId }: { id: string; parentId: string | null; leftId: string | undefined },
  now: number,
): JsonObject {
  return {
    type: 'branch_summary',
    id,
    parentId,
    timestamp: new Date(now).toISOString(),
    fromId: leftId ?? ROOT,
    summary: text,
    ...(details && { details }),
    ...(usage && { usage: toStoredUsage(usage) }),
    fromHook: false,
  };
}
