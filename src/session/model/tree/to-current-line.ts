import { spliceObject } from '../../jsonl/edit/splice.ts';
import type { JsonObject } from '../../jsonl/edit/json.ts';
import type { Entry } from '../entry.ts';

/**
 * A line at the place that the index says, of a format in which `uuid` names a line and `parentUuid` the
 * line before it; its own bytes where nothing changes.
 */
export function toCurrentLine(bytes: Buffer, value: JsonObject, entry: Entry): Buffer {
  const isSame = entry.aside || (value['parentUuid'] ?? null) === entry.parentId;
  if (isSame) return bytes;
  const edit = { key: 'parentUuid', value: JSON.stringify(entry.parentId) };
  return spliceObject(bytes, [edit], { after: 'uuid' }) ?? bytes;
}
