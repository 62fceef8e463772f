import { dirname, join, parse, sep } from 'node:path';
import { getString, type JsonObject, toIso, toTime } from '../../../../jsonl/edit/json.ts';
import type { FoundRecords, SessionRecords } from '../../../../dialect/surroundings/records.ts';
import type { SessionSummary } from '../../../../model/summary.ts';
import { CURRENT_VERSION } from '../../format.ts';
import { listDatabaseHomes } from './projection.ts';

export const NAMES = 'session_index.jsonl';
const STORES: ReadonlySet<string> = new Set(['sessions', 'archived_sessions']);

/**
 * The records of threads that Codex keeps in its home: names in a database, and in a file for older threads.
 */
export const records: SessionRecords = {
  findHome: findHomeOf,
  databases: [{ name: 'state', version: 5, tables: { threads: ['id', 'name'] } }],
  listDirectories: listDatabaseHomes,
  files: [NAMES],
  createCompleter,
};

/** The directory that has the store of a rollout. */
function findHomeOf(path: string): string | undefined {
  const { root } = parse(path);
  const parts = dirname(path).slice(root.length).split(sep);
  const at = parts.findLastIndex((part) => STORES.has(part));
  return at === -1 ? undefined : join(root, ...parts.slice(0, at));
}

function createCompleter({
  tables,
  lines,
  unread,
}: FoundRecords): (summary: SessionSummary) => SessionSummary {
  const threads = tables.get('threads');
  const named = new Map(threads?.map(({ id, name }) => [id, name]));
  const indexed = readNames(lines.get(NAMES) ?? []);
  const mentioned = unread.map((text) => new Set(text.match(ID)));
  const mayBeNamed = (id: string): boolean =>
    mentioned.some((ids) => ids.size === 0 || ids.has(id));
  return (summary) => {
    const { id, formatVersion } = summary;
    // The client goes by the file for threads of older releases, and by the database for others.
    const isInDatabase = (formatVersion ?? 0) >= CURRENT_VERSION && named.has(id);
    const line = indexed.get(id);
    const found = isInDatabase ? named.get(id) : line?.name;
    const name = typeof found === 'string' && found !== '' ? found : summary.name;
    const other = isInDatabase ? line?.name : named.get(id);
    const doubts = {
      ...(!isInDatabase && mayBeNamed(id) && { title: true }),
      // A database that was made again has lost the names that the file still has.
      ...(name === null && typeof other === 'string' && other !== '' && { otherName: true }),
    };
    const isSure = Object.keys(doubts).length === 0;
    if (isSure && !line && name === summary.name) return summary;
    return {
      ...summary,
      name,
      ...(line?.time !== undefined && { namedAt: line.time }),
      ...(!isSure && { unread: { ...summary.unread, ...doubts } }),
    };
  };
}

/** The id of a thread. */
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

interface Naming {
  readonly name: string;
  /** ISO 8601. */
  readonly time: string | undefined;
}

/** The last name of each thread, and when it got that. */
function readNames(lines: readonly JsonObject[]): ReadonlyMap<string, Naming> {
  const names = new Map<string, Naming>();
  for (const line of lines) {
    const [id, name] = [getString(line, 'id'), getString(line, 'thread_name')];
    const time = toIso(toTime(line['updated_at']));
    if (id !== undefined && name !== undefined) names.set(id, { name, time });
  }
  return names;
}
