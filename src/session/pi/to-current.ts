import type { Entry, Header } from '../entry.ts';
import { getObject, type JsonObject, toIso } from '../json.ts';
import { type MemberEdit, spliceObject } from '../jsonl/splice.ts';
import { CURRENT_VERSION } from './format.ts';

/** What only v1 had in its header; the entries say it since. */
const V1_MEMBERS = ['provider', 'modelId', 'thinkingLevel', 'branchedFrom', 'createdAt'] as const;

/**
 * A line as version 3 has it: its place in the tree and its references are the index's, whatever
 * the version. Every byte that need not change is kept.
 */
export function toCurrentLine(bytes: Buffer, value: JsonObject, entry: Entry): Buffer {
  const edits: MemberEdit[] = [];
  const set = (key: string, wanted: string | null | undefined): void => {
    if (wanted !== undefined && value[key] !== wanted) {
      edits.push({ key, value: JSON.stringify(wanted) });
    }
  };
  set('id', entry.id);
  set('parentId', entry.parentId);
  if (typeof value['timestamp'] === 'number') set('timestamp', toIso(entry.time) ?? '');
  if (entry.type === 'compaction') {
    set('firstKeptEntryId', entry.firstKeptEntryId);
    if ('firstKeptEntryIndex' in value)
      edits.push({ key: 'firstKeptEntryIndex', value: undefined });
  }
  return splice(renameRole(bytes, value, entry), edits, 'type');
}

/** The header as version 3 has it. */
export function toCurrentHeader(bytes: Buffer, value: JsonObject, header: Header): Buffer {
  if (value['version'] === CURRENT_VERSION) return bytes;
  const parent = header.parentSession ?? header.branchedFrom;
  const edits: MemberEdit[] = [
    { key: 'version', value: String(CURRENT_VERSION) },
    ...(typeof value['timestamp'] === 'string' || header.timestamp === undefined
      ? []
      : [{ key: 'timestamp', value: JSON.stringify(header.timestamp) }]),
    ...(parent === undefined ? [] : [{ key: 'parentSession', value: JSON.stringify(parent) }]),
    ...V1_MEMBERS.filter((key) => key in value).map((key) => ({ key, value: undefined })),
  ];
  return splice(bytes, edits, 'type');
}

/** Before version 3 extension messages had another role. */
function renameRole(bytes: Buffer, value: JsonObject, { role }: Entry): Buffer {
  const message = getObject(value, 'message');
  if (!message || role === undefined || message['role'] === role) return bytes;
  const edit = { key: 'role', value: JSON.stringify(role) };
  return spliceObject(bytes, [edit], { at: ['message'] }) ?? bytes;
}

function splice(bytes: Buffer, edits: readonly MemberEdit[], after: string): Buffer {
  return edits.length === 0 ? bytes : (spliceObject(bytes, edits, { after }) ?? bytes);
}
