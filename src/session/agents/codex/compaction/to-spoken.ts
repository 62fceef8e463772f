import type { JsonObject } from '../../../jsonl/edit/json.ts';
import type { SpokenMessage } from '../../../model/text/summarizer.ts';
import { toSpokenTurns } from '../../../model/text/to-spoken.ts';
import { toTurns } from '../entry/to-turn.ts';

/** Items as a summariser reads them, without thoughts that only the provider can read. */
export function toSpokenMessages(items: readonly JsonObject[]): readonly SpokenMessage[] {
  return toSpokenTurns(items.flatMap((item) => toTurns(item))).filter(
    (message) => !isSilent(message),
  );
}

function isSilent(message: SpokenMessage): boolean {
  if (message.role !== 'assistant') return false;
  return !message.text && !message.thinking && message.calls.length === 0;
}
