import type { Entry } from '../../../model/entry.ts';
import {
  getNumber,
  getString,
  type JsonObject,
  squeezeJson,
  toIso,
  toTime,
} from '../../../jsonl/edit/json.ts';
import { joinParts, type LinePart } from '../../../jsonl/write/line-transform.ts';
import type { MemberEdit } from '../../../jsonl/edit/splice.ts';
import type { Session } from '../../../model/session.ts';
import { CURRENT_VERSION, hasOldRole, isWithoutPlace } from '../format.ts';
import { fillGaps } from './fill-gaps.ts';
import { editHeader, type HeaderEdit } from './edit-header.ts';
import { editLine, editMessage, insertPlace } from './edit-line.ts';

/** The version in which no entry has a place of its own: each is below the one before it. */
const LINEAR = 1;

/** The place of an entry in the tree of the file that its line is written to. */
export interface LinePlace {
  /** Undefined for an entry that keeps what its line says. */
  readonly id?: string | undefined;
  /** Undefined as `id`. */
  readonly parentId?: string | null | undefined;
  readonly firstKeptEntryId?: string | undefined;
  /** The time of an entry whose line has none, in milliseconds. */
  readonly time?: number | undefined;
}

/**
 * Upgrades the line of an entry from a version to v3, at a place, in parts; all commands that write
 * v3 do it here. v1 → v2 → v3 as `migrateToCurrentVersion` of pi 1.6.0. Every byte that need not
 * change is kept: the only part is `bytes` when there is nothing to change. Of the array dialect
 * (version 0), whose lines have to be squeezed before, a numeric time becomes ISO 8601.
 */
export function upgradeEntry(
  bytes: Buffer,
  value: JsonObject,
  version: number,
  place: LinePlace,
): readonly LinePart[] {
  let line = upgradeTime(bytes, value, version, place.time);
  if (version === 0) line = fillGaps(line, value);
  // That role means nothing to pi in a v3 file.
  if (version < CURRENT_VERSION && hasOldRole(value)) {
    line = editMessage(line, { key: 'role', value: '"custom"' });
  }
  if (value['type'] === 'compaction') {
    line = editLine(line, editFirstKept(value, version, place), 'firstKeptEntryIndex');
  }
  const newAfter = isWithoutPlace(value) ? getString(value, 'type') : undefined;
  return insertPlace(line, findMoved(value, version, place), newAfter);
}

/** Upgrades a line from a file of any version; without its LF, on one line. */
export function upgradeLine(
  bytes: Buffer,
  value: JsonObject,
  version: number,
  place: LinePlace,
): Buffer {
  return joinParts(upgradeEntry(toOneLine(bytes, version), value, version, place));
}

/** The line of an entry at the place that the index says. */
export function toCurrentLine(
  bytes: Buffer,
  value: JsonObject,
  { id, parentId, firstKeptEntryId, time }: Entry,
  { formatVersion }: Session,
): Buffer {
  return upgradeLine(bytes, value, formatVersion, { id, parentId, firstKeptEntryId, time });
}

/** Upgrades the header from a version to v3; the same bytes where nothing changes. */
export function upgradeHeader(
  bytes: Buffer,
  value: JsonObject,
  version: number,
  edit: HeaderEdit & Pick<LinePlace, 'time'>,
): Buffer {
  return editHeader(upgradeTime(bytes, value, version, edit.time), value, edit);
}

export function toCurrentHeader(
  bytes: Buffer,
  value: JsonObject,
  { formatVersion, header }: Session,
): Buffer {
  const time = toTime(header?.timestamp);
  const edit = { changes: {}, upgrades: formatVersion < CURRENT_VERSION, time };
  return upgradeHeader(toOneLine(bytes, formatVersion), value, formatVersion, edit);
}

function toOneLine(bytes: Buffer, version: number): Buffer {
  return version === 0 ? squeezeJson(bytes) : bytes;
}

/** The array dialect has times in milliseconds, where later versions have ISO 8601. */
function upgradeTime(
  bytes: Buffer,
  value: JsonObject,
  version: number,
  fallback = Number.NaN,
): Buffer {
  if (version !== 0) return bytes;
  const { timestamp } = value;
  const own = toTime(timestamp);
  const isWritten = typeof timestamp === 'string' && !Number.isNaN(own);
  const iso = isWritten ? undefined : toIso(Number.isNaN(own) ? fallback : own);
  if (iso === undefined) return bytes;
  return editLine(bytes, [{ key: 'timestamp', value: JSON.stringify(iso) }], 'type');
}

/**
 * v1 names the first kept entry by its index among all lines. The index 0 is the header, which keeps
 * nothing; one that points nowhere is kept, for there is nothing to put in its place.
 */
function editFirstKept(
  value: JsonObject,
  version: number,
  { firstKeptEntryId }: LinePlace,
): readonly MemberEdit[] {
  const isOld = version === LINEAR || isWithoutPlace(value);
  const index = isOld ? getNumber(value, 'firstKeptEntryIndex') : undefined;
  const edits: MemberEdit[] = [];
  const isNamed = firstKeptEntryId !== undefined;
  if (isNamed && value['firstKeptEntryId'] !== firstKeptEntryId) {
    edits.push({ key: 'firstKeptEntryId', value: JSON.stringify(firstKeptEntryId) });
  }
  if (index === 0 || (index !== undefined && isNamed)) {
    edits.push({ key: 'firstKeptEntryIndex', value: undefined });
  }
  return edits;
}

/** The members that the line lacks, or has otherwise. */
function findMoved(value: JsonObject, version: number, { id, parentId }: LinePlace): LinePlace {
  const isMoved =
    parentId !== undefined &&
    ((getString(value, 'parentId') ?? null) !== parentId ||
      (value['parentId'] === undefined && (version === LINEAR || isWithoutPlace(value))));
  return {
    ...(id !== undefined && value['id'] !== id && { id }),
    ...(isMoved && { parentId }),
  };
}
