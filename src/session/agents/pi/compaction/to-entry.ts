import type { NewCompaction, Preparation } from '../../../dialect/compaction.ts';
import type { JsonObject } from '../../../jsonl/edit/json.ts';
import { toFileLists } from '../../../model/text/file-operations.ts';
import type { Usage } from '../../../model/usage.ts';

/** A compaction entry as pi 1.6.0 writes it, with the prompt and tools in force at that point. */
export function toCompactionEntry(
  { fileOps, systemMessage }: Preparation,
  compaction: NewCompaction,
): JsonObject {
  const { id, parentId, time, summary, usage, fromHook } = compaction;
  const { firstKeptEntryId, tokensBefore } = compaction;
  // pi stores the details of a hook unchanged, and nothing instead of them.
  const stored = fromHook ? compaction.details : { ...toFileLists(fileOps) };
  return {
    type: 'compaction',
    id,
    parentId,
    timestamp: new Date(time).toISOString(),
    summary,
    // A compaction that names itself keeps nothing, like in pi.
    firstKeptEntryId: firstKeptEntryId ?? id,
    tokensBefore,
    ...(stored !== undefined && { details: stored }),
    ...(usage && { usage: toStoredUsage(usage) }),
    fromHook,
    ...(systemMessage && { systemMessage: { ...systemMessage, timestamp: time } }),
  };
}

/** pi adds the cost up by kind; where only the sum is known, it stands for the sum. */
export function toStoredUsage({ cost, ...tokens }: Usage) {
  return { ...tokens, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: cost } };
}
