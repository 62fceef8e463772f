import { FileError } from '../../errors.ts';
import type { Checkpoint, Preparation } from '../dialect/compaction.ts';
import { appendLines } from '../jsonl/write/append-file.ts';
import type { CompactionPlan } from './plan.ts';

export type Compacted = Pick<Checkpoint, 'summary' | 'usage' | 'details' | 'fromHook'>;

/** The line that a compaction appends, with its LF. `now` in milliseconds. */
export function toCompactionLine(
  plan: CompactionPlan,
  preparation: Preparation,
  compacted: Compacted,
  now: number,
): Buffer {
  const { path, id, leafId: parentId, dialect } = plan;
  if (parentId === undefined) throw new FileError(path, 'no-leaf', 'its last entry has no id');
  const entry = dialect.toEntry(preparation, { ...compacted, path, id, parentId, time: now });
  return Buffer.from(`${JSON.stringify(entry)}\n`);
}

/**
 * Appends a compaction to its session, and returns once it is on the disk.
 * @throws FileError, with the code ECHANGED when the file is no longer the one that was planned for:
 * then nothing is written.
 */
export async function appendCompaction(plan: CompactionPlan, line: Buffer): Promise<void> {
  await appendLines(plan.path, [line], { planned: plan.stamp });
}
