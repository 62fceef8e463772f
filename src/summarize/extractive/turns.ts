import type { SpokenCall, SpokenMessage } from '../../session/model/text/summarizer.ts';

type Result = Extract<SpokenMessage, { role: 'tool' }>;
type Request = Extract<SpokenMessage, { role: 'user' }>;
type Source = Request['from'];
type Answer = Extract<SpokenMessage, { role: 'assistant' }>;

/** A tool call with what came of it. */
export interface Action {
  readonly call: SpokenCall;
  /** Undefined when it never came back. */
  readonly result: Result | undefined;
}

/** A request, the work on it, and the words at its end. */
export interface Turn {
  /** Empty when the conversation begins in the middle of a turn. */
  readonly request: string;
  readonly from: Source | undefined;
  readonly actions: readonly Action[];
  /** The words of the assistant, in order. */
  readonly said: readonly string[];
  /** The last word, if the assistant ended the turn by itself. */
  readonly answer: string | undefined;
  /** The reason why it broke off, if it did. */
  readonly failure: string | undefined;
}

interface OpenTurn {
  request: string;
  from: Source | undefined;
  actions: Action[];
  said: string[];
  answer: string | undefined;
  failure: string | undefined;
}

/** Cuts a conversation into turns, and finds the result of each call. What a person ran by hand is
 * an action like any other; earlier summaries are no part of a turn. */
export function toTurns(messages: readonly SpokenMessage[]): readonly Turn[] {
  const results = new Map<string, Result>();
  for (const message of messages) if (message.role === 'tool') results.set(message.callId, message);
  const turns: OpenTurn[] = [];
  for (const message of messages) {
    if (message.role === 'tool' || isSummary(message)) continue;
    if (message.role === 'user' && opensTurn(message, turns.at(-1))) {
      turns.push(openTurn(message.text, message.from));
      continue;
    }
    const turn = turns.at(-1) ?? openTurn('', undefined);
    if (turns.length === 0) turns.push(turn);
    if (message.role === 'assistant') addAnswer(turn, message, results);
    else if (message.command !== undefined) turn.actions.push(toAction(message));
  }
  return turns;
}

/**
 * Returns whether a request opens a turn: text that an extension adds while the user waits belongs to the
 * current one.
 */
function opensTurn({ from, command }: Request, current: OpenTurn | undefined): boolean {
  if (command !== undefined) return false;
  return from === 'person' || current === undefined || current.answer !== undefined;
}

function isSummary(message: SpokenMessage): boolean {
  return message.role === 'user' && message.from === 'summary';
}

function addAnswer(
  turn: OpenTurn,
  { text = '', calls, failure }: Answer,
  results: ReadonlyMap<string, Result>,
): void {
  if (text.trim() !== '') turn.said.push(text);
  for (const call of calls) turn.actions.push({ call, result: results.get(call.id) });
  turn.failure = failure;
  turn.answer = calls.length === 0 && failure === undefined && text.trim() ? text : undefined;
}

function toAction({ text, command }: Request): Action {
  const { line = '', exitCode = 0 } = command ?? {};
  const isError = exitCode !== 0;
  return {
    call: { id: '', name: 'bash', arguments: { command: line } },
    result: { role: 'tool', callId: '', name: 'bash', text, isError },
  };
}

function openTurn(request: string, from: Source | undefined): OpenTurn {
  return { request, from, actions: [], said: [], answer: undefined, failure: undefined };
}
