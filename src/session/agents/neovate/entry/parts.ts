import {
  getString,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../jsonl/edit/json.ts';
import { getParts } from '../format.ts';

const DATA_URL = /^data:([^;,]*);base64,/;
/** A data URL names its type at once. */
const MAX_PREFIX = 200;

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
  /** What the model was told: a string, or text and image parts. */
  readonly content: JsonValue | undefined;
  /** What a person was shown instead, or besides. */
  readonly display: JsonValue | undefined;
  /** What the tool was given, which need not be what the call says. */
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
  const prefix = DATA_URL.exec(stored.slice(0, MAX_PREFIX));
  const mimeType = getString(part, 'mimeType') ?? prefix?.[1] ?? '';
  return { mimeType, data: prefix ? stored.slice(prefix[0].length) : stored };
}

/** Parts of content that may also be a string. */
export function toParts(content: JsonValue | undefined): readonly JsonObject[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return isArray(content) ? content.filter(isObject) : [];
}
