import { FileError } from '../../errors.ts';
import type {
  OmittedRows,
  RowDatabase,
  SessionRows,
  Value,
  WholeRow,
} from '../../session/dialect/surroundings/rows.ts';
import { isArray, isObject, type JsonValue, parseJson } from '../../session/jsonl/edit/json.ts';

/** The name of the file that has the rows of a session, in an archive and in the trash. */
export const ROWS_NAME = 'rows.json';
/** Rows are read into memory at once. */
export const MAX_ROWS_BYTES = 256 * 1024 * 1024;

const SCHEMA_VERSION = 1;

/**
 * Rows of a session as a file: `{schemaVersion, databases: {<database>: {<table>: [{<column>: value}]}}}`.
 * Integers beyond those of JSON are `{integer: "…"}`, numbers without an end `{real: "…"}`, bytes `{base64: "…"}`.
 * Undefined where there are none.
 * @throws FileError where they take more than can be read again.
 */
export function encodeRows(rows: SessionRows, from: string): Buffer | undefined {
  const databases = [...rows].flatMap(([database, tables]) => {
    const filled = [...tables].filter(([, some]) => some.length > 0);
    const encoded = filled.map(([table, some]) => [table, some.map(encodeRow)] as const);
    return filled.length === 0 ? [] : [[database, Object.fromEntries(encoded)] as const];
  });
  if (databases.length === 0) return undefined;
  const content = { schemaVersion: SCHEMA_VERSION, databases: Object.fromEntries(databases) };
  const bytes = Buffer.from(`${JSON.stringify(content)}\n`);
  if (bytes.length <= MAX_ROWS_BYTES) return bytes;
  const message = 'has more than 256 MiB of rows in the databases of its agent: use its commands';
  throw new FileError(from, 'EFBIG', message);
}

function encodeRow(row: WholeRow): Record<string, JsonValue> {
  return Object.fromEntries([...row].map(([column, value]) => [column, encodeValue(value)]));
}

function encodeValue(value: Value): JsonValue {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : { integer: String(value) };
  }
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) {
    return { real: String(value) };
  }
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
  return value;
}

/** The session whose rows a file may hold. */
export interface RowOwner {
  readonly databases: readonly RowDatabase[];
  /** Every row names one of these. */
  readonly ids: ReadonlySet<string>;
  /** The new path of each file of the session, by its name: rows may hold an older one. */
  readonly paths: ReadonlyMap<string, string>;
  /** The new path of the session file. */
  readonly path: string;
}

/** The rows of a session, and how many of its own are left out of these. */
export interface DecodedRows {
  readonly rows: SessionRows;
  readonly omitted: readonly OmittedRows[];
}

/**
 * Reads rows that may come from anybody: of tables and columns that are known, and of this session alone,
 * without those by which the agent would continue by itself.
 * Paths of its files become those that they have now.
 * @throws FileError when anything is not as we write it.
 */
export function decodeRows(bytes: Buffer, owner: RowOwner, from: string): DecodedRows {
  const content = parseJson(bytes.toString('utf8'));
  if (!isObject(content) || content['schemaVersion'] !== SCHEMA_VERSION) {
    throw refuse(from, 'are of an unknown version');
  }
  const rows = new Map<string, Map<string, readonly WholeRow[]>>();
  const omitted: OmittedRows[] = [];
  for (const [name, tables] of listMembers(content['databases'], from)) {
    const database = owner.databases.find((one) => one.name === name);
    if (!database) throw refuse(from, 'are of an unknown database');
    const found = new Map<string, readonly WholeRow[]>();
    for (const [table, some] of listMembers(tables, from)) {
      if (!Object.hasOwn(database.tables, table)) throw refuse(from, 'are of an unknown table');
      if (!isArray(some)) throw refuse(from, 'are no list');
      const decoded = some.map((row) => decodeRow(row, database, table, owner, from));
      const { acts, about, isMade } = database.tables[table] ?? {};
      if (isMade) continue;
      const isOwn = (row: WholeRow): boolean =>
        about === undefined || owner.ids.has(String(row.get(about)));
      const own = decoded.filter(isOwn);
      const quiet = own.filter((row) => acts?.(row) !== true);
      found.set(table, quiet);
      const left = decoded.length - quiet.length;
      if (left > 0) omitted.push({ database: name, table, rows: left });
    }
    rows.set(name, found);
  }
  return { rows, omitted };
}

/**
 * Lists what people gave to sessions, as stored rows have it: the name of each column that holds something, with its
 * row, and each row that they gave as a whole. Undefined where they are not as we write them.
 */
export function listGiven(
  bytes: Buffer,
  databases: readonly RowDatabase[],
): ReadonlySet<string> | undefined {
  const content = parseJson(bytes.toString('utf8'));
  const stored = isObject(content) ? content['databases'] : undefined;
  if (!isObject(stored)) return undefined;
  const found = new Set<string>();
  for (const { name, tables } of databases) {
    const some = stored[name];
    for (const [table, { given = [], givenBy, keys }] of Object.entries(tables)) {
      const rows = isObject(some) ? some[table] : undefined;
      for (const row of isArray(rows) ? rows.filter((one) => isObject(one)) : []) {
        const key = keys.map((one) => row[one]);
        const filled = given.filter((column) => Boolean(row[column]));
        for (const column of filled) found.add(JSON.stringify([name, table, key, column]));
        const whole = givenBy?.map((one) => row[one]);
        if (whole) found.add(JSON.stringify([name, table, whole]));
      }
    }
  }
  return found;
}

function listMembers(value: JsonValue | undefined, from: string) {
  if (!isObject(value)) throw refuse(from, 'are no object');
  return Object.entries(value);
}

function decodeRow(
  value: JsonValue,
  database: RowDatabase,
  ofTable: string,
  { ids, paths, path }: RowOwner,
  from: string,
): WholeRow {
  const table = database.tables[ofTable];
  if (!table) throw refuse(from, 'are of an unknown table');
  const row = new Map<string, Value>();
  for (const [column, stored] of listMembers(value, from)) {
    if (!table.columns.includes(column)) throw refuse(from, 'have an unknown column');
    if (stored === undefined) continue;
    row.set(column, decodeValue(stored, from));
  }
  const isOwn = table.keys.some((key) => {
    const id = row.get(key);
    return typeof id === 'string' && ids.has(id);
  });
  if (!isOwn) throw refuse(from, 'are of another session');
  if (table.path !== undefined) {
    const old = row.get(table.path);
    const name = typeof old === 'string' ? old.split(/[/\\]/).at(-1) : undefined;
    row.set(table.path, paths.get(name ?? '') ?? path);
  }
  return row;
}

const INTEGER = /^-?\d{1,19}$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function decodeValue(value: JsonValue, from: string): Value {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (isObject(value) && Object.keys(value).length === 1) {
    const { integer, real, base64 } = value;
    if (real === 'Infinity' || real === '-Infinity') return Number(real);
    if (typeof integer === 'string' && INTEGER.test(integer)) {
      const number = BigInt(integer);
      if (BigInt.asIntN(64, number) === number) return number;
    }
    if (typeof base64 === 'string' && BASE64.test(base64)) return Buffer.from(base64, 'base64');
  }
  throw refuse(from, 'have a value that no database holds');
}

function refuse(from: string, what: string): FileError {
  return new FileError(from, 'EARCHIVE', `refused: rows in ${ROWS_NAME} ${what}`);
}
