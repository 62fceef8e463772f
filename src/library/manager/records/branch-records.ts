import type { JsonObject } from '../../../session/jsonl/edit/json.ts';
import { rechain } from '../../../session/model/tree/rechain.ts';
import { buildTree } from '../../../session/model/tree/tree.ts';
import { createEntryId } from '../../../session/agents/pi/places/session-place.ts';
import { indexRecords } from './build-record-context.ts';
import type { RecordTable } from './record-table.ts';

/**
 * The entries of a new session made of a path, as `createBranchedSession` of pi 1.6.0: labels are
 * taken out, the rest is chained to each other, and each label still set on a kept entry is appended
 * again at the end with its old time.
 */
export function branchRecords(
  path: readonly JsonObject[],
  labels: RecordTable['labels'],
  createId: () => string,
): readonly JsonObject[] {
  const records = indexRecords(path);
  const entries = [...records.keys()];
  const kept = entries.filter(({ type }) => type !== 'label');
  const links = rechain(buildTree(entries), kept);
  const branched: JsonObject[] = links.map(({ entry, parentId, firstKeptEntryId }, index) => ({
    ...records.get(entry),
    parentId: index === 0 ? null : parentId,
    ...(entry.type === 'compaction' && firstKeptEntryId !== undefined && { firstKeptEntryId }),
  }));
  const keptIds = new Set(kept.map(({ id }) => id));
  const ids = new Set(keptIds);
  let parentId = kept.at(-1)?.id ?? null;
  for (const [targetId, { label, timestamp }] of labels) {
    if (!keptIds.has(targetId)) continue;
    const id = createEntryId(createId, (one) => ids.has(one));
    ids.add(id);
    branched.push({ type: 'label', id, parentId, timestamp, targetId, label });
    parentId = id;
  }
  return branched;
}
