import { getString, isObject, type JsonObject, type JsonValue } from '../../../jsonl/edit/json.ts';
import { parseDataUrl } from '../../../model/text/image-block.ts';
import { getParts } from '../format.ts';

/** The text of a message: its content, or its text parts joined by a space. */
export function getText(message: JsonObject): string {
  const { content } = message;
  if (typeof content === 'string') return content;
  const texts = getParts(message).filter((part) => part['type'] === 'text');
  return texts.map((part) => getString(part, 'text') ?? '').join(' ');
}

export interface ToolOutcome {
  readonly callId: string;
  readonly toolName: string;
  readonly isError: boolean;
  /** The content for the model: a string, or text and image parts. */
  readonly content: JsonValue | undefined;
  /** The content that the user saw instead, or besides. */
  readonly display: JsonValue | undefined;
  /** The input that the tool got, which may differ from that of the call. */
  readonly input: JsonValue | undefined;
}

/** The results that a message holds: several since 0.15, one before. */
export function getToolOutcomes(message: JsonObject): readonly ToolOutcome[] {
  return getParts(message).flatMap((part) => {
    const isOld = part['type'] === 'tool_result';
    if (!isOld && part['type'] !== 'tool-result') return [];
    const result = isObject(part['result']) ? part['result'] : {};
    return {
      callId: getString(part, isOld ? 'id' : 'toolCallId') ?? '',
      toolName: getString(part, isOld ? 'name' : 'toolName') ?? '',
      isError: result['isError'] === true,
      content: result['llmContent'],
      display: result['returnDisplay'],
      input: part['input'],
    };
  });
}

/** An image as other agents have it: its type, and base64 without a prefix. */
export function readImage(part: JsonObject): { mimeType: string; data: string } {
  const stored = getString(part, 'data') ?? '';
  const found = parseDataUrl(stored);
  const mimeType = getString(part, 'mimeType') ?? found?.mimeType ?? '';
  return { mimeType, data: found?.data ?? stored };
}
