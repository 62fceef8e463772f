import type { NewCompaction, CompactionEntries, Preparation } from '../../../dialect/compaction.ts';
import type { ReadPayload } from '../../../dialect/fold.ts';
import { getNumber, type JsonObject } from '../../../jsonl/edit/json.ts';
import { readHistory, toSummaryText } from './history.ts';
import { keepPrompts } from './keep-prompts.ts';

/**
 * A `compacted` line that holds the whole new context: what was typed, what only the provider can read of
 * an earlier summary, and the summary. The client adds by itself how its surroundings are. In a legacy
 * file, an event that says so to a person follows.
 */
export async function toEntries(
  { settings }: Preparation,
  { steps, time, summary }: NewCompaction,
  readPayload: ReadPayload,
): Promise<CompactionEntries> {
  const { prompts, sealed } = await readHistory(steps, readPayload);
  // An endpoint or a hook may supply half of a pair: Codex would skip the line.
  const message = toSummaryText(summary.toWellFormed());
  const history = [
    ...keepPrompts(prompts, settings.keepRecentTokens),
    ...sealed,
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: message }] },
  ];
  const last = steps.at(-1);
  const ordinal = last && getNumber(await readPayload(last), 'ordinal');
  const timestamp = new Date(time).toISOString();
  const entry: JsonObject = {
    timestamp,
    ...(ordinal !== undefined && { ordinal: ordinal + 1 }),
    type: 'compacted',
    payload: { message, replacement_history: history },
  };
  if (ordinal !== undefined) return { entry };
  // Codex shows an empty turn there unless this event follows.
  return {
    entry,
    after: [{ timestamp, type: 'event_msg', payload: { type: 'context_compacted' } }],
  };
}
