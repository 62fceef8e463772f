import type { JsonObject } from '../../../jsonl/edit/json.ts';
import type { SpokenMessage } from '../../../model/text/summarizer.ts';
import { toSpokenTurns } from '../../../model/text/to-spoken.ts';
import { toTurns } from '../entry/to-turn.ts';

/** Lines as a summariser reads them. */
export function toSpokenMessages(lines: readonly JsonObject[]): readonly SpokenMessage[] {
  return toSpokenTurns(lines.flatMap((line) => toTurns(line)));
}
