import { readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { FileError } from '../../errors.ts';
import { getDialect } from '../../session/agents/index.ts';
import type { Dialect } from '../../session/dialect/dialect.ts';
import type {
  RowDialect,
  SessionRows,
  Value,
  WholeRow,
} from '../../session/dialect/surroundings/rows.ts';
import type { DatabaseTables, Row } from '../../session/dialect/surroundings/records.ts';
import { releaseAfter } from '../../session/jsonl/files/release-after.ts';
import { createFile, removeOwnFile } from '../../session/jsonl/write/create-file.ts';
import type { Candidate } from '../../session/prune/candidate.ts';
import type { Decision } from '../../session/prune/policy.ts';
import { readNotedPins } from '../database/guard-notes.ts';
import { joinTables } from '../database/join-tables.ts';
import { editRows, type RowEditor } from '../database/edit-rows.ts';
import type { OpenDatabase } from '../database/sqlite.ts';
import { encodeRows, ROWS_NAME } from '../database/stored-rows.ts';
import { listAll } from '../files/list-all.ts';
import { isThere } from '../files/stat-file.ts';
import { listLeftNotes, readNote, RemovalNote } from './removal-note.ts';
import type { MoveAway, Removal, ReportLeft } from './remove-session.ts';
import type { SessionFiles } from '../sessions/session-files.ts';
import { findRowHome, type RowHome } from '../database/database-files.ts';

/** A session that is to be removed, with the files that were seen of it. */
export interface RemovalTarget extends Pick<Decision, 'candidate' | 'waitsFor'> {
  readonly files: SessionFiles;
}

/** The session whose rows are meant: in these files, by these ids. */
export interface RowSource {
  readonly candidate: Pick<Candidate, 'agent' | 'path' | 'ids'>;
  readonly files: SessionFiles;
}

/** The place of the rows of a session, and their ids. */
interface RowPlace extends RowHome {
  readonly ids: readonly string[];
}

function findRowPlace({ candidate, files }: RowSource): RowPlace | undefined {
  const found = findRowHome(candidate.agent, candidate.path);
  if (!found) return undefined;
  const paths = files.files.map(({ name }) => join(files.root, name));
  const ids = [...new Set([...(candidate.ids ?? []), ...found.rows.listIds(paths)])];
  return { ...found, ids };
}

/** The rows of a session in the databases of its agent, for a caller that keeps a copy of it. */
export async function readStoredRows(one: RowSource): Promise<Buffer | undefined> {
  const place = findRowPlace(one);
  if (!place) return undefined;
  const { rows, home, ids } = place;
  return editRows(home, rows.databases, (editor) => {
    return Promise.resolve(encodeRows(editor.read(ids), one.candidate.path));
  });
}

/** How the rows of a session are removed. */
export interface RowRemoval {
  /** They are removed only if they are still those. */
  readonly expected?: { readonly stored: Buffer | undefined };
  readonly report: ReportLeft;
  readonly open?: OpenDatabase;
}

/**
 * Lets `remove` take the files of a session away, and takes its rows with them: either both are done or, where
 * the files cannot be removed, neither. Rows that a database keeps after that are noted for a later run.
 */
export async function removeWithRows(
  one: RemovalTarget,
  remove: (stored: Buffer | undefined, rows: DatabaseTables) => Promise<WholeRemoval>,
  { expected, report, open }: RowRemoval,
): Promise<WholeRemoval> {
  const place = findRowPlace(one);
  if (!place) return remove(undefined, new Map());
  const { rows, home } = place;
  const note = new RemovalNote(join(home, NOTED));
  let [isNoted, isRemoved, keepsNote] = [false, false, false];
  const act = async (editor: RowEditor): Promise<WholeRemoval> => {
    if (await hasRowPinSince(one, place)) throw new NotRemoved('changed');
    const { stored, tables } = takeRows(editor, one, place, expected);
    if (stored) {
      isNoted = true;
      await recordRows(note, one.files, rows);
    }
    const removal = await remove(stored, tables);
    if (removal !== 'removed') throw new NotRemoved(removal);
    isRemoved = true;
    return removal;
  };
  const work = async (): Promise<WholeRemoval> => {
    try {
      return await editRows(home, rows.databases, act, open);
    } catch (error) {
      if (error instanceof NotRemoved) return error.removal;
      if (!isRemoved || !(error instanceof FileError)) throw error;
      keepsNote = true;
      const { path, code, message } = error;
      const left = 'its rows are left, and the next prune of a session there removes them';
      report(new FileError(path, code, `${message}: ${left}`, { cause: error }));
      return 'removed';
    }
  };
  return releaseAfter(work, async () => {
    if (isNoted && !keepsNote) await note.remove();
  });
}

/**
 * Removes the rows of a session in a transaction, and returns them, also as they are stored: they are gone only once
 * the files are. @throws NotRemoved where they have changed since the plan.
 */
function takeRows(
  editor: RowEditor,
  one: RemovalTarget,
  { rows, ids }: RowPlace,
  expected: RowRemoval['expected'],
): { readonly stored: Buffer | undefined; readonly tables: DatabaseTables } {
  const found: SessionRows = editor.read(ids);
  const stored = encodeRows(found, one.candidate.path);
  if (expected && !isDeepStrictEqual(stored, expected.stored)) throw new NotRemoved('changed');
  const tables = toTables(found);
  if (isGuardedSince(one, rows, [tables, toTables(editor.readNeeding(ids))])) {
    throw new NotRemoved('changed');
  }
  editor.remove(ids);
  return { stored, tables };
}

/** The beginning of the names of notes in the directory of the databases. */
const NOTED = 'rows';

async function recordRows(
  note: RemovalNote,
  { root, files }: SessionFiles,
  rows: RowDialect,
): Promise<void> {
  for (const { name } of files) {
    const path = join(root, name);
    for (const id of rows.listIds([path])) await note.add({ path, id, count: 1 });
  }
}

/**
 * Removes the rows that runs have left which could not write to a database, or were killed, after the files of
 * a session were gone. `sessions`: of the homes that are meant. Returns what could not be removed.
 */
export async function removeLeftRows(
  sessions: readonly Pick<Candidate, 'agent' | 'path'>[],
  now: number,
  open?: OpenDatabase,
): Promise<readonly FileError[]> {
  const homes = new Map<string, { readonly dialect: Dialect; readonly path: string }>();
  for (const { agent, path } of sessions) {
    const dialect = agent === null ? undefined : getDialect(agent);
    const home = dialect?.rows?.findHome(path);
    if (dialect && home !== undefined && !homes.has(home)) homes.set(home, { dialect, path });
  }
  const problems: FileError[] = [];
  for (const [home, { dialect, path }] of homes) {
    try {
      for (const note of await listLeftNotes(join(home, NOTED), now)) {
        const ids = readNote(note).map(({ id }) => id);
        const there = listIdsAround(dialect, path);
        const gone = ids.filter((id) => !there.has(id));
        const remove = (editor: RowEditor): Promise<void> => Promise.resolve(editor.remove(gone));
        if (gone.length > 0) await editRows(home, dialect.rows?.databases ?? [], remove, open);
        await removeOwnFile(note);
      }
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      problems.push(error);
    }
  }
  return problems;
}

/** The ids of all sessions whose files are in the stores of a home. */
function listIdsAround({ rows, bases }: Dialect, path: string): ReadonlySet<string> {
  const listed = (bases?.listPlaces(path) ?? []).map((place) => listAll(place));
  const [unread] = listed.flatMap((one) => one.unread);
  if (unread !== undefined)
    throw new FileError(unread, 'EACCES', 'cannot read: sessions may be in it');
  return new Set(
    listed.flatMap(({ files }) => files.flatMap((file) => rows?.listIds([file]) ?? [])),
  );
}

/** The outcome for a session whose files were to be removed: `needed` by a file that is kept, or `open` in its agent. */
export type WholeRemoval = Removal | 'needed' | 'open';

/** Somebody may have pinned a session since the plan, given it a goal, or attached another one to it. */
function isGuardedSince(
  { candidate }: RemovalTarget,
  rows: RowDialect,
  tables: readonly DatabaseTables[],
): boolean {
  const { id, ids = [id], pin } = candidate;
  const find = rows.createGuards(joinTables(tables));
  return ids.some((one) => {
    const { pin: now, neededBy } = find(one);
    return (now !== undefined && now !== pin) || neededBy.some((other) => !ids.includes(other));
  });
}

/** A program of the agent that keeps no rows may have pinned it since. */
async function hasRowPinSince({ candidate }: RemovalTarget, { rows, home, ids }: RowPlace) {
  if (candidate.pin !== undefined) return false;
  const noted = await readNotedPins(rows, home, ids);
  return ids.some((id) => noted.has(id));
}

function toTables(found: SessionRows): DatabaseTables {
  return joinTables(
    [...found.values()].map(
      (database) => new Map([...database].map(([name, rows]) => [name, rows.map(toPlainRow)])),
    ),
  );
}

function toPlainRow(row: WholeRow): Row {
  return Object.fromEntries([...row].map(([key, value]) => [key, toPlain(value)]));
}

/** Numbers as those that read databases have them. */
function toPlain(value: Value): Value {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** Ends a transaction. */
class NotRemoved extends Error {
  readonly removal: WholeRemoval;

  constructor(removal: WholeRemoval) {
    super(removal);
    this.removal = removal;
  }
}

/** Moves files to the trash, and before the first of them what has the rows of the session. */
export function withStoredRows(
  { path }: SessionFiles,
  stored: Buffer | undefined,
  move: MoveAway,
): MoveAway {
  if (!stored) return move;
  const file = `${path}.${ROWS_NAME}`;
  let isMoved = false;
  return async (one, held = one, look?) => {
    if (!isMoved) {
      look?.();
      const beside = join(dirname(held), basename(file));
      // One of a run that was killed has the same rows; one that was restored has others, and is kept too.
      if (await isThere(beside)) {
        if ((await readFile(beside)).equals(stored)) await rm(beside);
        else await move(file, beside);
      }
      await createFile(beside, [stored]);
      try {
        await move(file, beside);
      } catch (error) {
        // The session keeps its rows, and no copy of them is left in its directory.
        await rm(beside, { force: true });
        throw error;
      }
      isMoved = true;
    }
    if (one !== file) await move(one, held, look);
  };
}
