import { isObject } from '../../jsonl/edit/json.ts';
import { type Block, isInContext, type TurnContent } from './conversation.ts';
import type { SpokenMessage } from './summarizer.ts';

/** A turn as a summarizer reads it; undefined for what says nothing to the model. */
export function toSpoken(turn: TurnContent): SpokenMessage | undefined {
  const text = joinTexts(turn.blocks, 'text');
  switch (turn.role) {
    case 'user':
      return { role: 'user', from: 'person', text };
    case 'custom':
      // The text to which a user's command was expanded.
      return { role: 'user', from: 'extension', text };
    case 'summary':
      return { role: 'user', from: 'summary', text };
    case 'bash': {
      const command = { line: turn.command, exitCode: turn.exitCode ?? 0 };
      return { role: 'user', from: 'command', text, command };
    }
    case 'assistant':
      return toAnswer(turn.blocks, text);
    case 'toolResult': {
      const { callId, toolName: name, isError } = turn;
      return { role: 'tool', callId, name, text, isError };
    }
    default:
      return undefined;
  }
}

/**
 * Turns as a summarizer reads them. A tool's result gets the name that its call has, since some agents write
 * the name in the call only. Hidden turns are left out, which the agent itself has written, and what is not sent.
 */
export function toSpokenTurns(turns: Iterable<TurnContent>): readonly SpokenMessage[] {
  const names = new Map<string, string>();
  const messages: SpokenMessage[] = [];
  for (const turn of turns) {
    const isLeftOut = !isInContext(turn) || (turn.role === 'custom' && turn.hidden);
    const spoken = isLeftOut ? undefined : toSpoken(turn);
    if (spoken?.role === 'assistant') for (const { id, name } of spoken.calls) names.set(id, name);
    if (spoken?.role === 'tool') {
      messages.push({ ...spoken, name: names.get(spoken.callId) ?? spoken.name });
    } else if (spoken) messages.push(spoken);
  }
  return messages;
}

function toAnswer(blocks: readonly Block[], text: string): SpokenMessage {
  const thinking = joinTexts(blocks, 'thinking');
  return {
    role: 'assistant',
    ...(text !== '' && { text }),
    ...(thinking !== '' && { thinking }),
    calls: blocks.flatMap((block) => {
      if (block.type !== 'toolCall') return [];
      const { id, name, arguments: given } = block;
      return { id, name, arguments: isObject(given) ? given : {} };
    }),
  };
}

function joinTexts(blocks: readonly Block[], type: 'text' | 'thinking'): string {
  return blocks.flatMap((block) => (block.type === type ? block.text : [])).join('\n');
}
