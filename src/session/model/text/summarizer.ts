import { CoppiceError } from '../../../errors.ts';
import type { JsonObject } from '../../jsonl/edit/json.ts';
import type { Usage } from '../usage.ts';

/** A tool call that an assistant made. */
export interface SpokenCall {
  /** The id that its result refers to; empty if the session has none. */
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
}

/** One message as a summarizer reads it, whatever the agent. Images are left out. */
export type SpokenMessage =
  | {
      readonly role: 'user';
      /** A person; an extension; an earlier summary; or a command that a person ran. */
      readonly from: 'person' | 'extension' | 'summary' | 'command';
      readonly text: string;
      /** The form that the model is shown, if that is more than the text. */
      readonly shown?: string;
      /** The command that was run; `exitCode` is 0 if it is not known to have failed. */
      readonly command?: { readonly line: string; readonly exitCode: number };
    }
  | {
      readonly role: 'assistant';
      /** Absent, as `thinking`, where the message has no such block. */
      readonly text?: string;
      readonly thinking?: string;
      readonly calls: readonly SpokenCall[];
      /** The reason why the answer broke off. */
      readonly failure?: string;
    }
  | {
      readonly role: 'tool';
      readonly callId: string;
      readonly name: string;
      readonly text: string;
      readonly isError: boolean;
    };

export interface SummaryRequest {
  /**
   * `history`: all that comes before what is kept. `turn-prefix`: the beginning of a turn whose end
   * is kept. `branch`: what was done on a branch that was left.
   */
  readonly kind: 'history' | 'turn-prefix' | 'branch';
  /** Oldest first. */
  readonly messages: readonly SpokenMessage[];
  /**
   * The summary of everything before the messages: to be merged into the new summary, not repeated
   * beside it.
   */
  readonly previousSummary?: string | undefined;
  /** The user's instructions for the summary. */
  readonly instructions?: string | undefined;
  /** The summary must not be longer. */
  readonly maxTokens: number;
  readonly signal: AbortSignal;
}

export interface Summary {
  readonly text: string;
  /** The usage, if a model was asked. */
  readonly usage?: Usage | undefined;
}

/**
 * Makes a summary of a conversation.
 * @throws SummaryError when there is no good one: empty, cut off or refused. Nothing may be written.
 */
export interface Summarizer {
  summarize(request: SummaryRequest): Promise<Summary>;
}

/** There is no good summary; the message says why, without any secret. */
export class SummaryError extends CoppiceError {
  override readonly name = 'SummaryError';
}
