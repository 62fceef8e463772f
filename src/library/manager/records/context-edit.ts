import { CoppiceError } from '../../../errors.ts';
import { getString, type JsonObject } from '../../../session/jsonl/edit/json.ts';
import { getMessage } from '../../../session/agents/pi/format.ts';
import type { EditableContent } from '../entries.ts';
import { asRecord } from '../../typed.ts';

const EDITABLE: ReadonlySet<unknown> = new Set(['user', 'assistant', 'toolResult']);
const BLOCKS_ONLY: ReadonlySet<unknown> = new Set(['assistant', 'toolResult']);

/**
 * Makes the content of a context edit of `target`, as pi 1.6.0 writes it: where only blocks are allowed, a
 * string becomes one.
 * @throws CoppiceError, with pi's words, for what cannot be edited or is not a replacement.
 */
export function toContextReplacement(
  target: JsonObject,
  branch: readonly JsonObject[],
  replacement: { content: EditableContent } | null,
): JsonObject | null {
  const content: unknown = replacement?.content;
  if (replacement !== null && typeof content !== 'string' && !Array.isArray(content)) {
    throw new CoppiceError('Context edit replacement must be null or contain string/array content');
  }
  const name = `Entry ${getString(target, 'id') ?? ''}`;
  if (!branch.includes(target)) throw new CoppiceError(`${name} is not on the active branch`);
  const role = getMessage(target)?.['role'];
  if (target['type'] !== 'custom_message' && !EDITABLE.has(role)) {
    throw new CoppiceError(`${name} does not contribute editable model content`);
  }
  if (replacement === null) return null;
  const asBlock = BLOCKS_ONLY.has(role) && typeof content === 'string';
  return asBlock ? { content: [{ type: 'text', text: content }] } : asRecord(replacement);
}
