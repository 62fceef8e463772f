import { getNumber, getString, isObject, type JsonObject, toIso, toTime } from '../json.ts';
import type { MemberEdit } from '../jsonl/splice.ts';
import { squeezeJson } from '../jsonl/squeeze-json.ts';
import { getMessage } from './format.ts';
import { editLine, editMessage } from './migrate/edit-line.ts';

/** Where an entry hangs in the file that its line is written to. */
export interface LinePlace {
  /** Undefined for an entry that has none, and gets none. */
  readonly id: string | undefined;
  readonly parentId: string | null;
  readonly firstKeptEntryId?: string | undefined;
}

/** Since v2 entries have ids, since v3 messages of extensions the role `custom`. */
const [WITH_IDS, WITH_CUSTOM_ROLE] = [2, 3];

/**
 * The line of an entry of any version as a line of v3 that hangs at `place`, without its LF; every
 * byte that need not change is as it was. The same bytes when there is nothing to change.
 *
 * v1 → v2 → v3 as `migrateToCurrentVersion` of pi 0.87.1; of the array dialect (version 0) also the
 * numeric time becomes ISO 8601, and line breaks between its members become spaces.
 */
export function upgradeLine(bytes: Buffer, version: number, place: LinePlace): Buffer {
  const line = version === 0 ? squeezeJson(bytes) : bytes;
  const value: unknown = JSON.parse(line.toString('utf8'));
  if (!isObject(value)) return line;
  const renamed = version < WITH_CUSTOM_ROLE ? renameRole(line, value) : line;
  return editLine(renamed, listEdits(value, version, place), 'type');
}

function renameRole(line: Buffer, value: JsonObject): Buffer {
  if (getMessage(value)?.['role'] !== 'hookMessage') return line;
  return editMessage(line, { key: 'role', value: '"custom"' });
}

function listEdits(value: JsonObject, version: number, place: LinePlace): MemberEdit[] {
  const edits: MemberEdit[] = [];
  const set = (key: string, text: string | null): void => {
    if (value[key] !== text) edits.push({ key, value: JSON.stringify(text) });
  };
  if (place.id !== undefined) set('id', place.id);
  const parentId = getString(value, 'parentId') ?? null;
  if (place.parentId !== parentId || (version < WITH_IDS && !('parentId' in value))) {
    set('parentId', place.parentId);
  }
  if (value['type'] === 'compaction') {
    if (place.firstKeptEntryId !== undefined) set('firstKeptEntryId', place.firstKeptEntryId);
    const hasIndex = getNumber(value, 'firstKeptEntryIndex') !== undefined;
    if (version < WITH_IDS && hasIndex)
      edits.push({ key: 'firstKeptEntryIndex', value: undefined });
  }
  const time = version === 0 ? toIso(toTime(getNumber(value, 'timestamp'))) : undefined;
  if (time !== undefined) set('timestamp', time);
  return edits;
}
