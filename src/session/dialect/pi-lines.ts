import { type JsonObject, toIso } from '../jsonl/edit/json.ts';
import type { FileStamp } from '../jsonl/files/identity/file-stamp.ts';
import type { Entry } from '../model/entry.ts';
import { NO_USAGE, type Usage } from '../model/usage.ts';
import type { NewIdentity } from './migration.ts';

// The lines of pi, into which sessions of all other agents are converted.

/** The version that pi 0.87.1 writes: which one pi reads as the newest is another matter. */
const VERSION = 3;

/** The ids of sessions that pi accepts. */
export const PI_SESSION_ID = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;

/** The text of a field that pi requires, where the source says nothing of it. */
export const UNKNOWN = 'unknown';

const FREE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

/** An entry without its place. */
export type Content = JsonObject;

export interface EntryPlace {
  readonly id: string;
  readonly parentId: string | null;
  /** ISO 8601. */
  readonly timestamp: string;
}

/** Finds the time at which a session began: the first that its entries have, or else that of the last write to its file. */
export function findStart(
  entries: readonly Pick<Entry, 'time'>[],
  { mtimeMs }: Pick<FileStamp, 'mtimeMs'>,
): string {
  const times = entries.flatMap(({ time }) => toIso(time) ?? []);
  return times[0] ?? new Date(mtimeMs).toISOString();
}

export function toHeaderLine({ id, timestamp, cwd }: NewIdentity): string {
  return JSON.stringify({ type: 'session', version: VERSION, id, timestamp, cwd });
}

/** Keys in the order in which pi writes them. */
export function toEntryLine(
  { type = '', ...content }: Content,
  { id, parentId, timestamp }: EntryPlace,
): string {
  return JSON.stringify({ type, id, parentId, timestamp, ...content });
}

export function toMessage(message: JsonObject): Content {
  return { type: 'message', message };
}

/** The tokens of an answer, which costs nothing: pi has a cost for each kind of them, and others have none. */
export function toMessageUsage({ cost: _, ...tokens }: Usage = NO_USAGE): JsonObject {
  return { ...tokens, cost: FREE };
}
