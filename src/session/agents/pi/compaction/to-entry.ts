import type { Checkpoint, Preparation } from '../../../dialect/compaction.ts';
import type { JsonObject } from '../../../jsonl/edit/json.ts';
import type { Usage } from '../../../model/usage.ts';

/** A compaction entry as pi 1.5.2 writes it, with the prompt and tools in force at that point. */
export function toCompactionEntry(
  { firstKeptEntryId, tokensBefore, readFiles, modifiedFiles, systemMessage }: Preparation,
  { id, parentId, time, summary, usage, fromHook, details }: Checkpoint,
): JsonObject {
  return {
    type: 'compaction',
    id,
    parentId,
    timestamp: new Date(time).toISOString(),
    summary,
    firstKeptEntryId,
    tokensBefore,
    details: details ?? { readFiles, modifiedFiles },
    ...(usage && { usage: toStoredUsage(usage) }),
    fromHook,
    ...(systemMessage && { systemMessage: { ...systemMessage, timestamp: time } }),
  };
}

/** pi adds the cost up by kind; where only the sum is known, it stands for the sum. */
export function toStoredUsage({ cost, ...tokens }: Usage) {
  return { ...tokens, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: cost } };
}
