import {
  type AssistantTurn,
  type Block,
  isInContext,
  joinText,
  type ToolResultTurn,
  type Turn,
} from '../../session/model/text/conversation.ts';
import { formatCommand } from '../../session/model/text/format-command.ts';
import type { ExportDocument } from '../formats/format.ts';

export type ToolCall = Extract<Block, { type: 'toolCall' }>;

/** A message to a model, or its answer with the results of its calls: a session as trainers see it. */
export type Exchange =
  | {
      readonly kind: 'prompt';
      readonly role: 'system' | 'user';
      readonly turn: Turn;
      /** The turn as the model reads it. */
      readonly text: string;
    }
  | {
      readonly kind: 'answer';
      readonly turn: AssistantTurn;
      readonly calls: readonly ToolCall[];
      /** The results in the order in which they came; each answers one of the calls, none twice. */
      readonly results: readonly ToolResultTurn[];
    };

/** An exchange that is not yet written: the results of its calls may still come. */
type Held = Exchange & {
  readonly results: ToolResultTurn[];
  /** The calls that have no result. */
  readonly open: Set<string>;
};

/** The turns of a session, and the words in which a summary is sent. */
type SentDocument = Pick<ExportDocument, 'turns' | 'wrapSummary'>;

/** How many exchanges after a call its result is waited for: some calls never have one. */
const MAX_HELD = 500;

/**
 * Puts tool results to the answer that called for them, which is the last one before them that has such a call. A
 * result without a call has no place in any of these formats, and is left out; so are a second result of a call, and
 * what no model is shown.
 */
export async function* groupExchanges(document: SentDocument): AsyncGenerator<Exchange> {
  const held: Held[] = [];
  for await (const turn of document.turns()) {
    if (!isInContext(turn)) continue;
    if (turn.role === 'toolResult') addResult(held, turn);
    else held.push(toHeld(turn, document));
    while (held[0] && (held.length > MAX_HELD || held[0].open.size === 0)) yield* held.splice(0, 1);
  }
  yield* held;
}

function toHeld(turn: Exclude<Turn, ToolResultTurn>, document: SentDocument): Held {
  const calls = turn.role === 'assistant' ? getCalls(turn) : [];
  const facts = { results: [], open: new Set(calls.map(({ id }) => id)) };
  if (turn.role === 'assistant') return { kind: 'answer', turn, calls, ...facts };
  const role = turn.role === 'system' ? 'system' : 'user';
  return { kind: 'prompt', role, turn, text: toTurnText(turn, document), ...facts };
}

function addResult(held: readonly Held[], result: ToolResultTurn): void {
  const { callId } = result;
  const answer = held.findLast(
    (one) => one.kind === 'answer' && one.calls.some(({ id }) => id === callId),
  );
  if (answer?.open.delete(callId)) answer.results.push(result);
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

/** Formats a turn as a model reads it: commands in the words of pi 1.6.0. */
export function toTurnText(turn: Turn, { wrapSummary }: Pick<SentDocument, 'wrapSummary'>): string {
  const text = joinText(turn.blocks);
  if (turn.role === 'bash') return formatCommand(turn, text);
  return turn.role === 'summary' ? wrapSummary(turn.kind, text) : text;
}

/** The words of the thinking blocks that the provider did not keep to itself. */
export function joinThinking(blocks: readonly Block[]): string {
  const texts = blocks.flatMap((block) =>
    block.type === 'thinking' && !block.redacted && block.text !== '' ? [block.text] : [],
  );
  return texts.join('\n\n');
}

/** Returns whether nothing is to be learnt from an answer: it was broken off, or the agent itself wrote it. */
export function isWorthless(turn: AssistantTurn): boolean {
  return turn.standsIn === true || turn.stopReason === 'error' || turn.stopReason === 'aborted';
}
