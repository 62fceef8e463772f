import type { Entry } from '../entry.ts';
import { type JsonObject, type JsonValue, listObjects } from '../../jsonl/edit/json.ts';
import type { Usage } from '../usage.ts';

/** A piece of what a message holds. */
export type Block =
  | { readonly type: 'text'; readonly text: string }
  /** `redacted`: the provider kept the thought to itself, and `text` says nothing. */
  | { readonly type: 'thinking'; readonly text: string; readonly redacted: boolean }
  | {
      readonly type: 'image';
      readonly mimeType: string;
      /** Base64 as stored, which need not be valid. */
      readonly data: string;
      /** The path to which the image was saved; then there is no `data`. */
      readonly path?: string;
    }
  | {
      readonly type: 'toolCall';
      readonly id: string;
      readonly name: string;
      /** The arguments that the model passed; an object, unless the file is damaged. */
      readonly arguments: JsonValue;
    };

/** The fields that turns of all roles share. */
interface TurnBase {
  /** Its entry, with its place in the file and in the tree. */
  readonly entry: Entry;
  /** Milliseconds; NaN when unreadable. */
  readonly time: number;
  readonly blocks: readonly Block[];
  /** The label that a person put on it. */
  readonly label?: string | undefined;
  /** Whether a context edit replaced what was said. */
  readonly edited?: boolean | undefined;
}

export interface UserTurn extends TurnBase {
  readonly role: 'user';
}

export interface AssistantTurn extends TurnBase {
  readonly role: 'assistant';
  /** The model as `provider/model`. */
  readonly model?: string | undefined;
  readonly usage?: Usage | undefined;
  /** The word of the agent: `stop`, `length`, `toolUse`, `error`, `aborted` … */
  readonly stopReason?: string | undefined;
  readonly errorMessage?: string | undefined;
  /** The agent itself wrote it, in the place of an answer. */
  readonly standsIn?: true | undefined;
  /** The agent does not send it to the model. */
  readonly unsent?: true | undefined;
}

export interface ToolResultTurn extends TurnBase {
  readonly role: 'toolResult';
  readonly callId: string;
  readonly toolName: string;
  readonly isError: boolean;
  readonly usage?: Usage | undefined;
  /** The data that the tool keeps for its own display. */
  readonly details?: JsonValue | undefined;
  /** Calls that the tool made by itself, as stored. */
  readonly nestedCalls?: JsonValue | undefined;
}

/** Instructions from here on, and what becomes of the tools. */
export interface SystemTurn extends TurnBase {
  readonly role: 'system';
  readonly toolsAdded: readonly JsonObject[];
  readonly toolsRemoved: readonly string[];
}

/** A command that a person ran in the agent. */
export interface RanCommand {
  readonly command: string;
  readonly exitCode: number | undefined;
  readonly cancelled: boolean;
  readonly truncated: boolean;
  /** The path to which the agent saved an output that it cut off. */
  readonly fullOutputPath?: string | undefined;
}

/** A command that the person ran; its output is the text. */
export interface BashTurn extends TurnBase, RanCommand {
  readonly role: 'bash';
  /** The model does not see it. */
  readonly excluded: boolean;
}

/** A message of an extension to the model, or of an unknown role. */
export interface CustomTurn extends TurnBase {
  readonly role: 'custom';
  readonly customType: string;
  /** It is not meant for the person's eyes. */
  readonly hidden: boolean;
  readonly details?: JsonValue | undefined;
  /** The agent does not send it to the model. */
  readonly unsent?: true | undefined;
}

/** A summary that replaces other turns. */
export interface SummaryTurn extends TurnBase {
  readonly role: 'summary';
  readonly kind: 'compaction' | 'branch';
  readonly tokensBefore?: number | undefined;
  readonly usage?: Usage | undefined;
}

/** Bookkeeping that the model never sees: a change of settings, a label, extension state. */
export interface NoteTurn extends TurnBase {
  readonly role: 'note';
  /** A text for people: what happened. */
  readonly note: string;
  readonly usage?: Usage | undefined;
}

/** One step of a conversation, whatever the agent. */
export type Turn =
  | UserTurn
  | AssistantTurn
  | ToolResultTurn
  | SystemTurn
  | BashTurn
  | CustomTurn
  | SummaryTurn
  | NoteTurn;

/** A turn before it is known where it was found. */
export type TurnContent = Turn extends infer T
  ? T extends Turn
    ? Omit<T, keyof Omit<TurnBase, 'blocks'>>
    : never
  : never;

/** Makes the turn of a note: what happened, and what the line says of it, if it says anything. */
export function toNote(what: string, says = ''): Extract<TurnContent, { readonly role: 'note' }> {
  return { role: 'note', blocks: [], note: says === '' ? what : `${what}: ${says}` };
}

/** The text of a turn's text blocks, a blank line between them. */
export function joinText(blocks: readonly Block[]): string {
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return texts.join('\n\n');
}

/** Returns whether the model is shown this turn. */
export function isInContext(turn: TurnContent): boolean {
  switch (turn.role) {
    case 'bash':
      return !turn.excluded;
    case 'assistant':
    case 'custom':
      return turn.unsent !== true;
    default:
      return turn.role !== 'note';
  }
}

/** Lists the parts of content that may also be a string: that stands for one of text, or none where it is empty. */
export function toParts(content: JsonValue | undefined): readonly JsonObject[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return listObjects(content);
}
