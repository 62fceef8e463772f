import {
  getString,
  isTextIfAny,
  type JsonObject,
  toIso,
  toTime,
  writeJson,
} from '../../../../jsonl/edit/json.ts';
import type {
  CompleteByRecords,
  DatabaseTables,
  FoundRecords,
  Row,
  SessionRecords,
} from '../../../../dialect/surroundings/records.ts';
import { listOtherCwds, type SessionSummary } from '../../../../model/summary.ts';
import { CURRENT_VERSION } from '../../format.ts';
import { readTitles, titleNotes } from '../app-notes.ts';
import { findHome, THREAD_IDS } from '../home.ts';
import { STATE, THREADS } from './databases.ts';
import { listDatabaseHomes } from './projection.ts';

export const NAMES = 'session_index.jsonl';

/**
 * The records of threads that Codex keeps in its home: names in a database, and in a file for older threads.
 */
export const records: SessionRecords = {
  findHome,
  databases: [
    {
      ...STATE,
      tables: { [THREADS]: ['id', 'name', 'cwd', 'archived', 'title', 'first_user_message'] },
    },
  ],
  listDirectories: listDatabaseHomes,
  files: [NAMES],
  notes: titleNotes,
  createCompleter,
};

function createCompleter({ tables, lines, unread, notes }: FoundRecords): CompleteByRecords {
  const threads = groupThreads(tables);
  const listed = lines.get(NAMES) ?? [];
  const indexed = readNames(listed);
  const shown = readTitles(notes);
  const mayBeNamed = doubtNames(listed, unread);
  const isOddInApp = (id: string): boolean => shown.has(id) && shown.get(id) === undefined;
  return (summary, own) => {
    const { id, formatVersion } = summary;
    const row = threads.get(id) ?? (own && groupThreads(own).get(id));
    // The client goes by the file for threads of older releases, and by the database for others.
    const isInDatabase = (formatVersion ?? 0) >= CURRENT_VERSION && row !== undefined;
    const line = indexed.get(id);
    const titled = isInDatabase ? undefined : findTitle(row);
    const inApp = findShown(shown.get(id), summary);
    const name = [isInDatabase ? row['name'] : line?.name, titled, inApp].find(isName) ?? null;
    const others = [isInDatabase ? line?.name : row?.['name'], titled, inApp, summary.name];
    const doubts = {
      ...((mayBeNamed(id, isInDatabase) ||
        (row && !isTextIfAny(row, 'name')) ||
        isOddInApp(id)) && {
        title: true,
      }),
      // A database that was made again has lost the names that the file still has, or a line of the thread.
      ...(others.some((one) => isName(one) && one !== name) && { otherName: true }),
      ...(isInOtherState(summary, row) && { state: true }),
    };
    const isSure = Object.keys(doubts).length === 0;
    const cwd = findListed(summary, row);
    if (isSure && !line && name === summary.name && cwd === undefined) return summary;
    return {
      ...summary,
      name,
      ...(cwd !== undefined && {
        listedCwd: cwd,
        ...listOtherCwds(summary.cwd, [...(summary.otherCwds ?? []), cwd]),
      }),
      ...(line?.time !== undefined && { namedAt: line.time }),
      ...(!isSure && { unread: { ...summary.unread, ...doubts } }),
    };
  };
}

/** Whether a thread may have a name in lines that were not understood: one that names no thread may be of any. */
function doubtNames(
  listed: readonly JsonObject[],
  unread: readonly string[],
): (id: string, isInDatabase: boolean) => boolean {
  const odd = listed.filter((line) => !isTextIfAny(line, 'thread_name'));
  const unsure = [...unread, ...odd.map((line) => writeJson(line) ?? '')];
  const mentioned = unsure.map((text) => new Set(text.match(THREAD_IDS)));
  return (id, isInDatabase) =>
    mentioned.some((ids) => ids.has(id) || (ids.size === 0 && !isInDatabase));
}

/**
 * The title of a thread of an older release. Where the list of names has none, the client shows it as the name, unless
 * it is the first prompt.
 */
function findTitle(row: Row | undefined): string | undefined {
  const [title, prompt] = [row?.['title'], row?.['first_user_message']];
  if (typeof title !== 'string' || typeof prompt !== 'string') return undefined;
  return title.trim() === prompt.trim() ? undefined : title.trim();
}

/** The title by which the app lists a thread, unless that is the beginning of the first prompt. */
function findShown(
  title: string | undefined,
  { firstMessage }: SessionSummary,
): string | undefined {
  return title !== undefined && firstMessage.trim().startsWith(title) ? undefined : title;
}

/** Finds the working directory by which the client lists a thread, if that is not the last of its lines. */
function findListed({ cwd }: SessionSummary, row: Row | undefined): string | undefined {
  const listed = row?.['cwd'];
  return isName(listed) && listed !== cwd ? listed : undefined;
}

/** The client lists a thread as archived or not by its row, and moves the file as well. */
function isInOtherState({ archived }: SessionSummary, row: Row | undefined): boolean {
  const listed = row?.['archived'];
  return typeof listed === 'number' && archived !== undefined && archived !== (listed !== 0);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The rows of threads by their ids. */
function groupThreads(tables: DatabaseTables): ReadonlyMap<unknown, Row> {
  return new Map(tables.get(THREADS)?.map((row) => [row['id'], row]));
}

interface Naming {
  readonly name: string;
  /** ISO 8601. */
  readonly time: string | undefined;
}

/** The last name of each thread, and the last time at which it got one. */
function readNames(lines: readonly JsonObject[]): ReadonlyMap<string, Naming> {
  const names = new Map<string, Naming>();
  for (const line of lines) {
    const [id, name] = [getString(line, 'id'), getString(line, 'thread_name')];
    if (id === undefined || name === undefined) continue;
    const times = [names.get(id)?.time, toIso(toTime(line['updated_at']))].flatMap(
      (one) => one ?? [],
    );
    // Somebody may have joined two files in another order, or taken a time out.
    names.set(id, { name, time: times.toSorted().at(-1) });
  }
  return names;
}
