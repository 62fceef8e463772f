import { join } from 'node:path';
import { FileError } from '../../errors.ts';
import type { Variables } from '../../session/dialect/surroundings/world.ts';
import type { DatabaseTables } from '../../session/dialect/surroundings/records.ts';
import type { Guard, RowDialect } from '../../session/dialect/surroundings/rows.ts';
import { isOwnPath, listAbove } from '../../session/model/paths.ts';
import { listNames } from '../../session/jsonl/files/list-directory.ts';
import { readNoteText } from '../files/read-note-text.ts';
import {
  findDatabases,
  findStrangeness,
  getVersionOf,
  listDatabases,
  toDatabaseName,
  toStrange,
} from './database-files.ts';
import { readNotedPins } from './guard-notes.ts';
import { joinTables } from './join-tables.ts';
import { inspectDatabase } from './read-database.ts';
import { hasSqlite, UNWRITABLE, withoutSqlite } from './sqlite.ts';
import { orFileErrorSync } from '../../session/jsonl/files/file-error.ts';

/** The reasons against removing sessions of a directory, from its databases. */
export interface Guards {
  /** The reason why none may be removed. */
  readonly obstacle?: string;
  /** The error that is the obstacle. */
  readonly failure?: FileError;
  find(id: string): Guard;
}

/** Reads the databases of each directory once. `listOthers`: lists further directories that count as well. */
export function createGuardReader(
  env: Variables,
): (rows: RowDialect, home: string, listOthers: () => readonly string[]) => Promise<Guards> {
  const known = new Map<string, Promise<Guards>>();
  const read = (rows: RowDialect, home: string): Promise<Guards> => {
    const guards = known.get(home) ?? readGuards(rows, home, env);
    known.set(home, guards);
    return guards;
  };
  return async (rows, home, listOthers) => {
    try {
      const homes = [home, ...listOthers()];
      return joinGuards(await Promise.all(homes.map((one) => read(rows, one))));
    } catch (error) {
      return toUnknown(error);
    }
  };
}

const UNGUARDED: Guard = { neededBy: [] };

function toUnknown(error: unknown): Guards {
  if (!(error instanceof FileError)) throw error;
  const obstacle = `${error.path}: ${error.message}`;
  return { obstacle, failure: error, find: () => UNGUARDED };
}

function joinGuards(all: readonly Guards[]): Guards {
  const [own] = all;
  if (own && all.length === 1) return own;
  const obstacle = all.find((one) => one.obstacle !== undefined)?.obstacle;
  const failure = all.find((one) => one.failure !== undefined)?.failure;
  return {
    ...(obstacle !== undefined && { obstacle }),
    ...(failure && { failure }),
    find(id) {
      const found = all.map((one) => one.find(id));
      return {
        pin: found.find(({ pin }) => pin !== undefined)?.pin,
        path: found.find(({ path }) => path !== undefined)?.path,
        neededBy: found.flatMap(({ neededBy }) => neededBy),
      };
    },
  };
}

async function readGuards(rows: RowDialect, home: string, env: Variables): Promise<Guards> {
  try {
    const elsewhere = findElsewhere(rows, home, env) ?? findOther(rows, home);
    if (elsewhere !== undefined) {
      return { obstacle: describeElsewhere(elsewhere), find: () => UNGUARDED };
    }
    const noted = await readNotedPins(rows, home);
    const there = await findDatabases(home, rows.databases);
    const unwritable =
      there.length === 0 || hasSqlite()
        ? {}
        : { failure: withoutSqlite(home), obstacle: UNWRITABLE };
    const [first] = rows.guarding;
    if (first && !there.some(({ kind }) => kind.name === first.name)) {
      const pin = `${toDatabaseName(first)}, which records pins, does not exist (--include-pinned)`;
      return { ...unwritable, find: () => ({ ...UNGUARDED, pin }) };
    }
    const tables: DatabaseTables[] = [];
    for (const { path, kind } of there) {
      const asked = rows.guarding.find(({ name }) => name === kind.name);
      if (!asked) continue;
      const read = await inspectDatabase(path, asked.tables);
      const strange = findStrangeness(kind, read.schema);
      if (strange !== undefined) throw toStrange(path, strange);
      const missing = Object.keys(asked.tables).find((table) => !read.tables.has(table));
      if (missing !== undefined) throw toStrange(path, `has no table ${missing}`);
      tables.push(read.tables);
    }
    const findOwn = rows.createGuards(joinTables(tables));
    return { ...unwritable, find: (id) => withNoted(findOwn(id), noted.get(id)) };
  } catch (error) {
    return toUnknown(error);
  }
}

function withNoted(guard: Guard, noted: string | undefined): Guard {
  return noted === undefined ? guard : { ...guard, pin: guard.pin ?? noted };
}

/** A database of another program of the agent: what is pinned there is pinned, too, and its rows would be left. */
function findOther({ alsoIn, databases }: RowDialect, home: string): string | undefined {
  return alsoIn
    .flatMap((name) => listDatabases(join(home, name)))
    .find((path) => databases.some(({ name }) => getVersionOf(name, path) !== undefined));
}

const MAX_SETTINGS_BYTES = 16 * 1024 * 1024;

/** The reason against removing sessions for what says so. */
export function describeElsewhere(where: string): string {
  return `the databases of its agent are elsewhere (${where}): use the commands of the agent`;
}

/**
 * Finds what says that the databases of a home are in another directory.
 * @throws FileError where settings are there and cannot be read.
 */
export function findElsewhere(rows: RowDialect, home: string, env: Variables): string | undefined {
  if (rows.isElsewhere('', env)) return 'the environment';
  const own = join(home, rows.settings);
  const text = readIfThere(own);
  const names = listNames(home);
  const others = rows.listOtherSettings(home, names, text);
  if (rows.isElsewhere(text, env)) return own;
  return others.find((path) => rows.isElsewhere(readIfThere(path), env));
}

function readIfThere(path: string): string {
  return readNoteText(path, MAX_SETTINGS_BYTES) ?? '';
}

/** Finds what says so in the directories in which a session was at work, and in those above them. */
export function createProjectSearch(
  env: Variables,
): (rows: RowDialect, directories: readonly string[]) => string | undefined {
  const known = new Map<string, boolean>();
  const isNamedIn = (rows: RowDialect, path: string): boolean => {
    const found = known.get(path) ?? isSaidIn(rows, path, env);
    known.set(path, found);
    return found;
  };
  return (rows, directories) =>
    directories
      .filter(isOwnPath)
      .flatMap((directory) => [directory, ...listAbove(directory)])
      .map((directory) => join(directory, rows.projectSettings))
      .find((path) => isNamedIn(rows, path));
}

/** Takes settings of a project that cannot be read for absent: the agent cannot read them either. */
function isSaidIn(rows: RowDialect, path: string, env: Variables): boolean {
  const text = orFileErrorSync(() => readIfThere(path));
  return !(text instanceof FileError) && rows.isElsewhere(text, env);
}
