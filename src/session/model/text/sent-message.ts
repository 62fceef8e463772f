import type { JsonValue } from '../../jsonl/edit/json.ts';

export interface SentImage {
  readonly type: 'image';
  readonly mimeType: string;
  /** Its size, decoded. */
  readonly bytes: number;
}

/** A piece of a message as the model is sent it, in the same shape for every agent. */
export type SentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | {
      readonly type: 'toolCall';
      readonly id: string;
      readonly name: string;
      readonly arguments: JsonValue;
    }
  | {
      readonly type: 'toolResult';
      readonly toolCallId: string;
      readonly isError: boolean;
      readonly text: string;
      readonly images: readonly SentImage[];
    }
  | SentImage;

/** A message as the model is sent it. */
export interface SentMessage {
  readonly role: string;
  readonly blocks: readonly SentBlock[];
}

/** An image in base64, by what it is and how large. */
export function toSentImage(mimeType: string, data: string): SentImage {
  return { type: 'image', mimeType, bytes: Buffer.from(data, 'base64').length };
}
