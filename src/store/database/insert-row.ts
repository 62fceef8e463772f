import type { RowTable, Value, WholeRow } from '../../session/dialect/surroundings/rows.ts';

/** A database in a transaction, as far as adding a row needs it. */
interface RowSink {
  all(sql: string, values: readonly Value[]): readonly WholeRow[];
  /** Writes values into rows of a table. Returns how many rows it has found. */
  update(
    table: string,
    values: Readonly<Record<string, Value>>,
    where: string,
    wanted: readonly Value[],
  ): number;
  /** Returns how many rows there are more; undefined where the row belongs to one that is gone. */
  insert(sql: string, values: readonly Value[]): number | undefined;
  listColumns(table: string): readonly string[];
}

/** A table to which a row is added. */
export interface Target {
  readonly name: string;
  readonly table: RowTable;
  /** Whether a row that is there gets what only a person can have given the other one. */
  readonly fills: boolean;
  /** The last number of its rows before any was added, if it numbers them. */
  readonly last?: Value | undefined;
}

type Cells = readonly (readonly [string, Value])[];

/**
 * Adds a row that is not there. Returns how many were added or filled; undefined where it belongs to one that is
 * gone.
 */
export function addRow(database: RowSink, target: Target, row: WholeRow): number | undefined {
  const { name, table, fills } = target;
  const cells = toCells(database, target, row);
  if (table.number !== undefined && isThere(database, target, cells)) return 0;
  const columns = cells.map(([column]) => quote(column)).join(', ');
  const marks = cells.map(() => '?').join(', ');
  const count = database.insert(
    `INSERT INTO ${quote(name)} (${columns}) VALUES (${marks}) ON CONFLICT DO NOTHING`,
    cells.map(([, value]) => value),
  );
  return count === 0 && fills ? fill(database, target, cells) : count;
}

/** Finds the last number that a table has given to a row. */
export function findLast(database: RowSink, name: string, { number }: RowTable): Value | undefined {
  if (number === undefined) return undefined;
  const [row] = database.all(`SELECT max(${quote(number)}) AS last FROM ${quote(name)}`, []);
  return row?.get('last') ?? undefined;
}

/** The values that a row gets: a name of another row that is not there is left empty. */
function toCells(database: RowSink, { name, table }: Target, row: WholeRow): Cells {
  const known = new Set(database.listColumns(name));
  const values = [...row].filter(([column]) => known.has(column) && column !== table.number);
  return values.map(([column, value]): readonly [string, Value] => {
    const named = table.names && Object.hasOwn(table.names, column) && table.names[column];
    if (!named || value === null) return [column, value];
    const sql = `SELECT 1 FROM ${quote(named.table)} WHERE ${quote(named.column)} = ?`;
    return [column, database.all(sql, [value]).length > 0 ? value : null];
  });
}

/** Returns whether a table that numbers its rows had the same row before: it has no other key. */
function isThere(database: RowSink, { name, table, last }: Target, cells: Cells): boolean {
  if (table.number === undefined || last === undefined) return false;
  const same = cells.map(([column]) => `${quote(column)} IS ?`).join(' AND ');
  const sql = `SELECT 1 FROM ${quote(name)} WHERE ${quote(table.number)} <= ? AND ${same} LIMIT 1`;
  return database.all(sql, [last, ...cells.map(([, value]) => value)]).length > 0;
}

/** Gives a row that the agent has made again what it cannot have from the session file. */
function fill(database: RowSink, { name, table }: Target, cells: Cells): number {
  const keys = cells.filter(([column]) => table.keys.includes(column));
  if (keys.length === 0) return 0;
  const where = keys.map(([key]) => `${quote(key)} = ?`).join(' AND ');
  const values = keys.map(([, key]) => key);
  const [row] = database.all(`SELECT * FROM ${quote(name)} WHERE ${where}`, values);
  if (!row) return 0;
  const stored: WholeRow = new Map(cells);
  const given = cells.filter(([column, value]) => {
    const there = row.get(column) ?? null;
    if (column === table.path) return isLater(value, there);
    const isMade = isCopied(row, table, column) && !isCopied(stored, table, column);
    const isFree = isMade || there === null || there === '' || there === 0n;
    const isSame = value === null || value === '' || value === there;
    return table.given?.includes(column) === true && isFree && !isSame;
  });
  return database.update(name, Object.fromEntries(given), where, values);
}

/** Returns whether a row has in a column no more than the agent puts there by itself. */
function isCopied(row: WholeRow, { copied }: RowTable, column: string): boolean {
  const from = copied && Object.hasOwn(copied, column) ? copied[column] : undefined;
  if (from === undefined) return false;
  const [own, other] = [column, from].map((one) => String(row.get(one) ?? '').trim());
  return own === other;
}

/** Compares files of a session by their names, which sort by time: the agent may have found an earlier file first. */
function isLater(path: Value, there: Value): boolean {
  const [name, other] = [path, there].map(
    (one) =>
      String(one ?? '')
        .split(/[/\\]/)
        .at(-1) ?? '',
  );
  return name !== undefined && other !== undefined && name > other;
}

/** Quotes the name of a table or a column for SQL. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
