import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { FileError } from '../../errors.ts';
import { getDialect } from '../../session/agents/index.ts';
import type { Variables } from '../../session/dialect/surroundings/world.ts';
import type {
  CompleteByRecords,
  DatabaseTables,
  FoundRecords,
  NoteFile,
  ReadTables,
  SessionRecords,
} from '../../session/dialect/surroundings/records.ts';
import { isObject, type JsonObject, parseJsonObject } from '../../session/jsonl/edit/json.ts';
import { orFileErrorSync } from '../../session/jsonl/files/file-error.ts';
import { parseLine } from '../../session/jsonl/read/parse-line.ts';
import { otherFiles } from '../../session/jsonl/read/other-files.ts';
import { readLines } from '../../session/jsonl/read/read-lines.ts';
import type { Agent } from '../../session/model/agent.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { RunMemory, type RunSources } from '../../session/read/summaries/looked-at.ts';
import { getNotePath, MAX_NOTE_BYTES, readNoteText } from '../files/read-note-text.ts';
import { getRealPath, isGone, orPath } from '../files/stat-file.ts';
import { getVersionOf, listDatabases, toDatabaseName } from './database-files.ts';
import { joinTables } from './join-tables.ts';
import { readDatabase } from './read-database.ts';

/** Is called once for each database or file that is there and could not be read. */
export type OnRecordProblem = (problem: FileError) => void;

/** Reads the records of each home once, for any number of sessions. */
export function createRecordsReader(
  onProblem: (problem: FileError, agent: Agent) => void,
  env: Variables,
): (summary: SessionSummary, records: SessionRecords) => Promise<SessionSummary> {
  const known = new Map<string, Promise<CompleteByRecords>>();
  return async (summary, records) => {
    const home = records.findHome(summary.path);
    if (home === undefined) return summary;
    const complete =
      known.get(home) ??
      readRecords(home, records, (problem) => onProblem(problem, summary.agent), env).then(
        (found) => records.createCompleter(found),
      );
    known.set(home, complete);
    return (await complete)(summary);
  };
}

/**
 * Makes a function that returns whether one of some homes has, or may have, a name for a session that its own home does
 * not give. Reads each of them once; what protects sessions reports what cannot be read there.
 */
export function createOtherNames(
  env: Variables,
): (summary: SessionSummary, homes: readonly string[]) => Promise<boolean> {
  const complete = createRecordsReader(() => undefined, env);
  return async (summary, homes) => {
    const { records } = getDialect(summary.agent).places;
    if (!records) return false;
    for (const home of homes) {
      const unnamed = { ...summary, name: null, unread: { ...summary.unread, otherName: false } };
      const { name, unread } = await complete(unnamed, { ...records, findHome: () => home });
      if (name !== null && name !== summary.name) return true;
      if (unread.title === true || unread.otherName === true) return true;
    }
    return false;
  };
}

/** Reads the same databases of a directory once. Those that cannot be read are skipped. */
function createTablesReader(): ReadTables {
  const known = new Map<string, Promise<FoundRecords>>();
  return async (directory, databases) => {
    const key = JSON.stringify([directory, databases]);
    const found =
      known.get(key) ??
      readRecords(directory, { databases, files: [], notes: [] }, () => undefined, {});
    known.set(key, found);
    return (await found).tables;
  };
}

/** Opens what a run may read beside its files. */
export function openRunSources(env: Variables): RunSources {
  return { readTables: createTablesReader(), env, memory: new RunMemory() };
}

type Records = Pick<SessionRecords, 'databases' | 'files' | 'notes' | 'listDirectories'>;

/** The records of a home that are not in its own databases: in files, and in databases elsewhere. */
export async function readRecordsBeside(
  home: string,
  records: Records,
  onProblem: OnRecordProblem,
): Promise<FoundRecords> {
  const elsewhere = await listElsewhere(home, records);
  return readRecords(home, { ...records, listDirectories: async () => elsewhere }, onProblem, {});
}

/** The files in which these are. A database that is written to has another one beside it. */
export async function listFilesBeside(home: string, records: Records): Promise<readonly string[]> {
  const elsewhere = await listElsewhere(home, records);
  const databases = elsewhere.flatMap((directory) =>
    records.databases.map((one) => join(directory, toDatabaseName(one))),
  );
  const notes = records.notes.flatMap(({ name, backup }) => [name, backup]);
  const files = [...records.files, ...notes].map((name) => join(home, name));
  return [...files, ...databases.flatMap((path) => [path, `${orPath(getRealPath, path)}-wal`])];
}

async function listElsewhere(home: string, { listDirectories }: Records): Promise<string[]> {
  const directories = (await listDirectories?.(home, { readStart, env: {} })) ?? [];
  return directories.filter((directory) => directory !== home);
}

const readStart = (path: string): Promise<string | undefined> => otherFiles.readStart(path);

/** All that could be read of the records in a directory; what is not there is not missed. */
async function readRecords(
  home: string,
  { databases, files, notes, listDirectories }: Records,
  onProblem: OnRecordProblem,
  env: Variables,
): Promise<FoundRecords> {
  const unread: string[] = [];
  const report: OnRecordProblem = (problem) => {
    unread.push('');
    onProblem(problem);
  };
  const attempt = async <T>(path: string, read: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      // A link that leads nowhere is there: its target may be a disk that is not mounted.
      if (error.code === 'ENOENT' && isGone(path)) return undefined;
      report(error);
      return undefined;
    }
  };
  const directories = (await listDirectories?.(home, { readStart, env })) ?? [home];
  const tables: DatabaseTables[] = [];
  for (const directory of new Set(directories)) {
    tables.push(...(await readTables(directory, databases, { attempt, report })));
  }
  const lines = new Map<string, readonly JsonObject[]>();
  for (const name of files) {
    const path = join(home, name);
    const read = await attempt(path, () => readObjects(path, unread));
    if (read) lines.set(name, read);
  }
  const read = notes.flatMap((note) => readNote(home, note));
  return { tables: joinTables(tables), lines, unread, notes: read };
}

/** The object in a note; none where it is not there or cannot be read. */
function readNote(home: string, file: NoteFile): readonly JsonObject[] {
  const text = orFileErrorSync(() => readNoteText(getNotePath(home, file), MAX_NOTE_BYTES));
  const note = typeof text === 'string' ? parseJsonObject(text) : undefined;
  return note ? [note] : [];
}

type Attempt = <T>(path: string, read: () => T | Promise<T>) => Promise<T | undefined>;

/** The tables of the databases in one directory that could be read. */
async function readTables(
  directory: string,
  databases: SessionRecords['databases'],
  { attempt, report }: { readonly attempt: Attempt; readonly report: OnRecordProblem },
): Promise<readonly DatabaseTables[]> {
  const found: DatabaseTables[] = [];
  const beside = (await attempt(directory, () => listDatabases(directory))) ?? [];
  for (const { name, version, tables: columns } of databases) {
    const path = join(directory, toDatabaseName({ name, version }));
    const read = await attempt(path, () => readDatabase(path, columns));
    if (read) found.push(read);
    const other = beside.includes(path)
      ? undefined
      : beside.find((one) => getVersionOf(name, one) !== undefined);
    if (other === undefined) continue;
    const reason = `is of another version than coppice reads (${version})`;
    report(new FileError(other, 'EBADDB', reason));
  }
  return found;
}

/** A line that is longer names more than one session. */
const MAX_LINE_BYTES = 65_536;

/** The objects of a JSONL file, in order; adds lines that could not be read to `unread`. */
async function readObjects(path: string, unread: string[]): Promise<readonly JsonObject[]> {
  const objects: JsonObject[] = [];
  await readLines(path, (line) => {
    const content = parseLine(line);
    if (content.kind === 'object' && isObject(content.value)) objects.push(content.value);
    if (content.kind === 'blank' || (content.kind === 'object' && isUtf8(line.bytes))) return;
    unread.push(line.bytes.length > MAX_LINE_BYTES ? '' : line.bytes.toString('latin1'));
  });
  return objects;
}
