import { wrapSummary } from '../../session/model/text/wrap-summary.ts';
import {
  type AssistantTurn,
  type Block,
  isInContext,
  joinText,
  type ToolResultTurn,
  type Turn,
} from '../../session/model/text/conversation.ts';

export type ToolCall = Extract<Block, { type: 'toolCall' }>;

/** A message to a model, or its answer with the results of its calls: a session as trainers see it. */
export type Exchange =
  | { readonly kind: 'prompt'; readonly role: 'system' | 'user'; readonly turn: Turn }
  | {
      readonly kind: 'answer';
      readonly turn: AssistantTurn;
      readonly calls: readonly ToolCall[];
      /** The results in the order in which they came; each answers one of the calls, none twice. */
      readonly results: readonly ToolResultTurn[];
    };

/**
 * Puts tool results to the answer that called for them. A result that answers no call of the answer
 * before it has no place in any of these formats, and is left out; so is what no model is shown.
 */
export async function* groupExchanges(turns: AsyncIterable<Turn>): AsyncGenerator<Exchange> {
  let open: { turn: AssistantTurn; calls: ToolCall[]; results: ToolResultTurn[] } | undefined;
  for await (const turn of turns) {
    if (!isInContext(turn)) continue;
    if (turn.role === 'toolResult') {
      if (open && isAnswer(turn, open)) open.results.push(turn);
      continue;
    }
    if (open) yield { kind: 'answer', ...open };
    open = undefined;
    if (turn.role === 'assistant') open = { turn, calls: getCalls(turn), results: [] };
    else yield { kind: 'prompt', role: turn.role === 'system' ? 'system' : 'user', turn };
  }
  if (open) yield { kind: 'answer', ...open };
}

function isAnswer(
  { callId }: ToolResultTurn,
  { calls, results }: { calls: readonly ToolCall[]; results: readonly ToolResultTurn[] },
): boolean {
  return (
    calls.some(({ id }) => id === callId) && !results.some((result) => result.callId === callId)
  );
}

/** Returns calls with an id of their own each: an answer could not distinguish two calls of one id. */
function getCalls({ blocks }: AssistantTurn): ToolCall[] {
  const seen = new Set<string>();
  return blocks.filter((block): block is ToolCall => {
    if (block.type !== 'toolCall' || block.id === '' || seen.has(block.id)) return false;
    seen.add(block.id);
    return true;
  });
}

/** Formats a turn as a model reads it: commands and summaries in the words of pi 1.5.2. */
export function toTurnText(turn: Turn): string {
  const text = joinText(turn.blocks);
  if (turn.role === 'bash') return toCommandText(turn.command, text, turn.exitCode);
  return turn.role === 'summary' ? wrapSummary(turn.kind, text) : text;
}

function toCommandText(command: string, output: string, exitCode: number | undefined): string {
  const body = output === '' ? '(no output)' : `\`\`\`\n${output}\n\`\`\``;
  const end = exitCode ? `\n\nCommand exited with code ${exitCode}` : '';
  return `Ran \`${command}\`\n${body}${end}`;
}

/** The words of the thinking blocks that the provider did not keep to itself. */
export function joinThinking(blocks: readonly Block[]): string {
  const texts = blocks.flatMap((block) =>
    block.type === 'thinking' && !block.redacted && block.text !== '' ? [block.text] : [],
  );
  return texts.join('\n\n');
}

/** Returns whether the provider or the person broke the answer off. */
export function isBroken({ stopReason }: AssistantTurn): boolean {
  return stopReason === 'error' || stopReason === 'aborted';
}
