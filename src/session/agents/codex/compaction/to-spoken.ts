import type { JsonObject } from '../../../jsonl/edit/json.ts';
import type { SpokenMessage } from '../../../model/text/summarizer.ts';
import { toSpoken } from '../../../model/text/to-spoken.ts';
import { toTurns } from '../entry/to-turn.ts';

/** Items as a summariser reads them; what the client has written by itself is left out. */
export function toSpokenMessages(lines: readonly JsonObject[]): readonly SpokenMessage[] {
  const names = new Map<string, string>();
  const messages: SpokenMessage[] = [];
  for (const line of lines) {
    for (const turn of toTurns(line)) {
      const isOwn = turn.role === 'custom' && turn.hidden;
      const spoken = isOwn ? undefined : toSpoken(turn);
      if (!spoken || isSilent(spoken)) continue;
      if (spoken.role === 'assistant') for (const { id, name } of spoken.calls) names.set(id, name);
      const name = spoken.role === 'tool' ? names.get(spoken.callId) : undefined;
      messages.push(name !== undefined && spoken.role === 'tool' ? { ...spoken, name } : spoken);
    }
  }
  return messages;
}

/** A thought that only the provider can read. */
function isSilent(message: SpokenMessage): boolean {
  if (message.role !== 'assistant') return false;
  return !message.text && !message.thinking && message.calls.length === 0;
}
