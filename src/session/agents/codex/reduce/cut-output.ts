import { getString, isObject } from '../../../jsonl/edit/json.ts';
import { type MemberEdit, spliceObject } from '../../../jsonl/edit/splice.ts';
import type { Entry } from '../../../model/entry.ts';
import { cutText } from '../../../model/text/cut-text.ts';
import { changeParts } from '../../../reduce/change-parts.ts';
import { cutMember } from '../../../reduce/cut-block.ts';

/** The members with the output of a command, in lines that show it to people, by type. */
const SHOWN: ReadonlyMap<string, readonly string[]> = new Map([
  ['CommandExecution', ['payload', 'item']],
  ['exec_command_end', ['payload']],
]);
const TEXTS = ['aggregated_output', 'formatted_output', 'stdout', 'stderr'];
const RESULTS: ReadonlySet<string> = new Set(['function_call_output', 'custom_tool_call_output']);

/** Cuts what a tool gave back to the model, and what a person is shown of it: each in a line of its own. */
export function cutOutput(bytes: Buffer, { type }: Entry, maxBytes: number): Buffer | undefined {
  if (bytes.length <= maxBytes) return undefined;
  if (RESULTS.has(type)) return cutResult(bytes, maxBytes);
  const at = SHOWN.get(type);
  if (!at) return undefined;
  const edits = TEXTS.flatMap((key): readonly MemberEdit[] =>
    cutMember(bytes, [...at, key], maxBytes),
  );
  return edits.length > 0 ? spliceObject(bytes, edits, { at }) : undefined;
}

function cutResult(bytes: Buffer, maxBytes: number): Buffer | undefined {
  const edits = cutMember(bytes, ['payload', 'output'], maxBytes);
  if (edits.length > 0) return spliceObject(bytes, edits, { at: ['payload'] });
  return changeParts(bytes, [['payload', 'output']], (part) => {
    if (part.length <= maxBytes) return undefined;
    const value: unknown = JSON.parse(part.toString('utf8'));
    const isText = isObject(value) && value['type'] === 'input_text';
    const text = isText ? getString(value, 'text') : undefined;
    const cut = text === undefined ? undefined : cutText(text, maxBytes);
    if (cut === undefined) return undefined;
    return spliceObject(part, [{ key: 'text', value: JSON.stringify(cut) }]);
  });
}
