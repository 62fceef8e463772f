import { createHash } from 'node:crypto';
import type { Dialect } from '../../dialect/dialect.ts';
import type { ReadPayload } from '../../dialect/fold.ts';
import { isArray, isObject, type JsonObject, type JsonValue } from '../../jsonl/edit/json.ts';
import type { Entry, LineSpan } from '../../model/entry.ts';
import type { SentBlock } from '../../model/text/sent-message.ts';
import { getCurrentPath, treeOf } from '../../model/tree/tree.ts';
import { withPayloads } from '../../read/turns/payloads.ts';
import type { FixPlan } from './fix-plan.ts';

/**
 * Returns whether the agent would send less of a session once it is repaired than it sends now, but for
 * entries that the repair takes out because the model must not see them. Both are computed from the file
 * as it is.
 * @throws FileError if it cannot be read again.
 */
export async function sendsLess(
  { before, after, repairs, toSpanBefore }: FixPlan,
  dialect: Dialect,
): Promise<boolean> {
  if (before.session.problem) return false;
  if (after.session.problem) return true;
  const { taken, keptLater } = repairs.takenEntries ?? {};
  const now = getCurrentPath(treeOf(before.session)).filter(
    ({ offset }) => !taken?.has(offset) && !keptLater?.has(offset),
  );
  const repaired = getCurrentPath(treeOf(after.session));
  return withPayloads(before.session.path, async (read) => {
    const readShort: ReadPayload = async (entry) => shortenStrings(await read(entry));
    const left = await countSent(dialect, repaired, (entry) => readShort(locate(entry)));
    for (const [words, count] of await countSent(dialect, now, readShort)) {
      if (count > (left.get(words) ?? 0)) return true;
    }
    return false;
  });

  function locate(entry: LineSpan): LineSpan {
    return entry.file === undefined ? toSpanBefore(entry) : entry;
  }
}

/** How often each piece of the conversation is sent. */
async function countSent(
  { context }: Dialect,
  path: readonly Entry[],
  readPayload: ReadPayload,
): Promise<ReadonlyMap<string, number>> {
  const { messages } = await context.build(path, readPayload);
  const sent = context
    .toSent(messages)
    .flatMap(({ role, blocks }) => blocks.map((block) => ({ role, block })));
  const isStopgap = (block: SentBlock): boolean => context.isStopgap?.(block) ?? false;
  const unanswered = new Set(
    sent.flatMap(({ block }) =>
      block.type === 'toolResult' && isStopgap(block) ? [block.toolCallId] : [],
    ),
  );
  const counts = new Map<string, number>();
  for (const { role, block } of sent) {
    if (isStopgap(block) || (block.type === 'toolCall' && unanswered.has(block.id))) continue;
    const words = 'text' in block ? { ...block, text: block.text.trim() } : block;
    if (words.type === 'text' && words.text === '') continue;
    const key = JSON.stringify([role, words]);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Longer strings are compared by their digests. */
const MAX_LENGTH = 1024;
const END_LENGTH = 256;
/** A value that is nested deeper is not compared: arguments of tools are anything. */
const MAX_DEPTH = 64;

/** A line of which long strings have both ends and a digest: all of a path is held in memory at once. */
function shortenStrings(value: JsonObject, depth = 0): JsonObject {
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, one]) => [key, shorten(one ?? null, depth + 1)]));
}

function shorten(value: JsonValue, depth: number): JsonValue {
  if (typeof value === 'string') {
    if (value.length <= MAX_LENGTH) return value;
    const digest = createHash('sha256').update(value).digest('hex');
    return `${value.slice(0, END_LENGTH)}${digest}${value.slice(-END_LENGTH)}`;
  }
  if (depth > MAX_DEPTH) return null;
  if (isArray(value)) return value.map((one) => shorten(one, depth + 1));
  return isObject(value) ? shortenStrings(value, depth) : value;
}
