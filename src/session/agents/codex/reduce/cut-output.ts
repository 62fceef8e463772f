import { findValue, type MemberEdit, spliceObject } from '../../../jsonl/edit/splice.ts';
import type { Entry } from '../../../model/entry.ts';
import { changeParts } from '../../../reduce/change-parts.ts';
import { cutMember, cutTextBlock } from '../../../reduce/cut-block.ts';
import { RESULT_PLACES } from './result-places.ts';

/** The members with the output of a command or a patch, in lines that show it to people, by type. */
const SHOWN: ReadonlyMap<string, readonly string[]> = new Map([
  ['CommandExecution', ['payload', 'item']],
  ['FileChange', ['payload', 'item']],
  ['exec_command_end', ['payload']],
  ['patch_apply_end', ['payload']],
]);
const TEXTS = ['aggregated_output', 'formatted_output', 'stdout', 'stderr'];
/** The places of outputs that are a text or parts: as the model is sent them, and as people are shown them. */
const OUTPUTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['function_call_output', ['payload', 'output']],
  ['custom_tool_call_output', ['payload', 'output']],
  ['DynamicToolCall', ['payload', 'item', 'content_items']],
]);
/** The types of parts with text. */
const TEXT_PARTS: ReadonlySet<unknown> = new Set(['input_text', 'inputText', 'text']);

/** Cuts what a tool gave back to the model, and what a person is shown of it: each in a line of its own. */
export function cutOutput(bytes: Buffer, { type }: Entry, maxBytes: number): Buffer | undefined {
  if (bytes.length <= maxBytes) return undefined;
  const output = OUTPUTS.get(type);
  if (output) return cutTexts(bytes, output, maxBytes);
  const result = RESULT_PLACES.get(type);
  if (result) return cutResult(bytes, result, maxBytes);
  const at = SHOWN.get(type);
  return at && cutMembers(bytes, at, TEXTS, maxBytes);
}

function cutMembers(
  bytes: Buffer,
  at: readonly string[],
  keys: readonly string[],
  maxBytes: number,
): Buffer | undefined {
  const edits = keys.flatMap((key): readonly MemberEdit[] =>
    cutMember(bytes, [...at, key], maxBytes),
  );
  return edits.length > 0 ? spliceObject(bytes, edits, { at }) : undefined;
}

/** The result of a tool of a server has the same as text and, at will of the server, as JSON: that is left out. */
function cutResult(bytes: Buffer, at: readonly string[], maxBytes: number): Buffer | undefined {
  const key = 'structuredContent';
  const structured = findValue(bytes, [...at, key]);
  const isLong = structured !== undefined && structured.length > maxBytes;
  const edited = isLong ? spliceObject(bytes, [{ key, value: undefined }], { at }) : undefined;
  return cutTexts(edited ?? bytes, [...at, 'content'], maxBytes) ?? edited;
}

function cutTexts(bytes: Buffer, place: readonly string[], maxBytes: number): Buffer | undefined {
  const cut = cutMembers(bytes, place.slice(0, -1), place.slice(-1), maxBytes);
  return cut ?? changeParts(bytes, [place], (part) => cutTextBlock(part, maxBytes, TEXT_PARTS));
}
