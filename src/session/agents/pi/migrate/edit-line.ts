import { type MemberEdit, spliceObject } from '../../../jsonl/edit/splice.ts';
import type { LinePart } from '../../../jsonl/write/line-transform.ts';

const BEGINNING = '{"type":"';
const QUOTE = 0x22;

/** Edits some members of the object on a line; the same bytes if there is nothing to edit. */
export function editLine(bytes: Buffer, edits: readonly MemberEdit[], after: string): Buffer {
  return edits.length === 0 ? bytes : (spliceObject(bytes, edits, { after }) ?? bytes);
}

/** Edits a member of the `message` of an entry. */
export function editMessage(bytes: Buffer, edit: MemberEdit): Buffer {
  return spliceObject(bytes, [edit], { at: ['message'] }) ?? bytes;
}

/**
 * The line with what it lacks behind its type, in parts. `newAfter`: the type of an entry that has
 * neither member yet, so that they can go in without a search.
 */
export function insertPlace(
  bytes: Buffer,
  place: { readonly id?: string | undefined; readonly parentId?: string | null | undefined },
  newAfter: string | undefined,
): readonly LinePart[] {
  const { id, parentId } = place;
  if (id === undefined && parentId === undefined) return [bytes];
  const end = newAfter === undefined ? undefined : findTypeEnd(bytes, newAfter);
  if (end !== undefined && id !== undefined && parentId !== undefined) {
    // The parent may have an id of its own, of any characters.
    const text = `${BEGINNING}${newAfter}","id":"${id}","parentId":${JSON.stringify(parentId)}`;
    return [text, bytes.subarray(end)];
  }
  const members = Object.entries(place).map(([key, value]) => ({
    key,
    value: JSON.stringify(value),
  }));
  return [editLine(bytes, members, 'type')];
}

/** Finds the end of the type, if it is where pi writes it. */
function findTypeEnd(bytes: Buffer, type: string): number | undefined {
  const end = BEGINNING.length + type.length;
  if (bytes[end] !== QUOTE) return undefined;
  for (let at = 0; at < BEGINNING.length; at += 1) {
    if (bytes[at] !== BEGINNING.charCodeAt(at)) return undefined;
  }
  for (let at = 0; at < type.length; at += 1) {
    if (bytes[BEGINNING.length + at] !== type.charCodeAt(at)) return undefined;
  }
  return end + 1;
}
