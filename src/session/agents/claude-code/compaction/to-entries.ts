import type { NewCompaction, CompactionEntries, Preparation } from '../../../dialect/compaction.ts';
import type { ReadPayload } from '../../../dialect/fold.ts';
import type { JsonObject } from '../../../jsonl/edit/json.ts';
import { deriveUuid } from '../../../model/ids/synthetic-ids.ts';
import type { Entry } from '../../../model/entry.ts';
import { toSessionId } from '../format.ts';
import { toSummaryText } from './summary-text.ts';
import { isBoundary } from '../entry/to-entry.ts';

/** The members that the client writes on every line. */
const ENVELOPE = ['userType', 'entrypoint', 'cwd', 'version', 'gitBranch', 'slug'] as const;

/**
 * A boundary, which names what is kept, and the summary. Kept lines are not repeated: the client puts
 * them behind the summary by the list, in its order; older releases by both ends of it.
 */
export async function toEntries(
  { tokensBefore: preTokens }: Preparation,
  compaction: NewCompaction,
  readPayload: ReadPayload,
): Promise<CompactionEntries> {
  const { id, parentId, path, steps, time, summary, firstKeptEntryId } = compaction;
  const last = steps.at(-1);
  const anchorUuid = deriveUuid(`summary\0${id}`, (one) => steps.some((step) => step.id === one));
  const uuids = listKept(steps, firstKeptEntryId).flatMap((entry) => entry.id ?? []);
  const common = {
    timestamp: new Date(time).toISOString(),
    ...pick(last ? await readPayload(last) : {}),
    sessionId: toSessionId(path),
  };
  const boundary = {
    parentUuid: null,
    logicalParentUuid: parentId,
    isSidechain: false,
    type: 'system',
    subtype: 'compact_boundary',
    content: 'Conversation compacted',
    level: 'info',
    compactMetadata: { trigger: 'manual', preTokens, ...toPreserved(uuids, anchorUuid) },
    uuid: id,
    ...common,
  };
  const content = toSummaryText(summary.trim(), path, uuids.length > 0);
  const entry = {
    parentUuid: id,
    isSidechain: false,
    type: 'user',
    message: { role: 'user', content },
    isVisibleInTranscriptOnly: true,
    isCompactSummary: true,
    uuid: anchorUuid,
    ...common,
    // Releases up to 2.1.90 continue at the newest line: of two of one time, at the first.
    timestamp: new Date(time + 1).toISOString(),
  };
  return { before: [boundary], entry };
}

function toPreserved(uuids: readonly string[], anchorUuid: string): JsonObject {
  const [headUuid] = uuids;
  if (headUuid === undefined) return {};
  return {
    preservedSegment: { headUuid, anchorUuid, tailUuid: uuids.at(-1) ?? headUuid },
    preservedMessages: { anchorUuid, uuids, allUuids: uuids },
  };
}

function pick(line: JsonObject): JsonObject {
  return Object.fromEntries(ENVELOPE.flatMap((key) => (key in line ? [[key, line[key]]] : [])));
}

/** Lists the entries from one on, with the beginning of the message that it is in the middle of. */
function listKept(steps: readonly Entry[], firstKeptEntryId: string | null): readonly Entry[] {
  let at = steps.findIndex(({ id }) => id !== undefined && id === firstKeptEntryId);
  if (at < 0) return [];
  const isInside = (one: Entry | undefined, before: Entry | undefined): boolean =>
    one?.role === 'toolResult' ||
    (one?.messageId !== undefined && one.messageId === before?.messageId);
  while (at > 0 && isInside(steps[at], steps[at - 1])) at -= 1;
  const start = steps.findLastIndex(({ type }) => type === 'compaction') + 1;
  return steps.slice(Math.max(at, start)).filter((entry) => !isBoundary(entry));
}
