import { getString, type JsonObject, type JsonValue, listObjects } from '../../jsonl/edit/json.ts';

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

/** The parts of content; a string stands for one of text. */
export function toContentParts(content: JsonValue | undefined): readonly JsonObject[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listObjects(content);
}

/** Converts the result of a tool: the texts of its parts, joined by line feeds, and its images. */
export function toSentResult(
  { toolCallId = '', isError }: { toolCallId: string | undefined; isError: boolean },
  content: JsonValue | undefined,
  toImage: (part: JsonObject) => SentImage,
): SentBlock {
  const parts = toContentParts(content);
  return {
    type: 'toolResult',
    toolCallId,
    isError,
    text: parts.flatMap((part) => getString(part, 'text') ?? []).join('\n'),
    images: parts.filter(({ type }) => type === 'image').map(toImage),
  };
}

/** An image in base64, by what it is and how large. */
export function toSentImage(mimeType: string, data: string): SentImage {
  return { type: 'image', mimeType, bytes: Buffer.from(data, 'base64').length };
}
