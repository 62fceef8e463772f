import type { JsonObject } from '../../../jsonl/edit/json.ts';
import type { SpokenMessage } from '../../../model/text/summarizer.ts';
import { toSpoken } from '../../../model/text/to-spoken.ts';
import { getString } from '../../../jsonl/edit/json.ts';
import { isOldToolResult } from '../format.ts';
import { toTurns } from '../entry/to-turn.ts';

/** Messages as a summariser reads them. */
export function toSpokenMessages(messages: readonly JsonObject[]): readonly SpokenMessage[] {
  return messages.flatMap((message) => {
    const role = isOldToolResult(message) ? 'tool' : getString(message, 'role');
    return toTurns(message, role).flatMap((turn) => toSpoken(turn) ?? []);
  });
}
