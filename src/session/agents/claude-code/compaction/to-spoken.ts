import type { JsonObject } from '../../../jsonl/edit/json.ts';
import type { SpokenMessage } from '../../../model/text/summarizer.ts';
import { toSpoken } from '../../../model/text/to-spoken.ts';
import { toTurns } from '../entry/to-turn.ts';

/** Lines as a summariser reads them; what the client has written by itself is left out. */
export function toSpokenMessages(lines: readonly JsonObject[]): readonly SpokenMessage[] {
  const names = new Map<string, string>();
  const messages: SpokenMessage[] = [];
  for (const line of lines) {
    for (const turn of toTurns(line)) {
      const isOwn = turn.role === 'custom' && turn.hidden;
      const spoken = isOwn ? undefined : toSpoken(turn);
      if (!spoken) continue;
      if (spoken.role === 'assistant') for (const { id, name } of spoken.calls) names.set(id, name);
      const isResult = spoken.role === 'tool';
      messages.push(
        isResult ? { ...spoken, name: names.get(spoken.callId) ?? spoken.name } : spoken,
      );
    }
  }
  return messages;
}
