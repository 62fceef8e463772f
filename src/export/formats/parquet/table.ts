import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { compress } from './snappy.ts';

/** Types that DuckDB, Spark and ClickHouse read alike; every column may be null. */
type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'time';

export type Columns = Readonly<Record<string, ColumnType>>;

/** Times in milliseconds. */
export type Row<C extends Columns> = {
  readonly [K in keyof C]:
    | (C[K] extends 'text' ? string : C[K] extends 'boolean' ? boolean : number)
    | null;
};

const ELEMENTS = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
} as const;

/** A row group ends at whichever comes first. */
const MAX_ROWS = 10_000;
const MAX_CHARACTERS = 2_000_000;

type Cell = string | number | boolean | bigint | null;

const CREATED_BY = 'coppice';

/** Returns whether a file ends like one that `writeTable` makes: the footer says at last who created it. */
export function isOwnTable(end: string): boolean {
  return end.endsWith('PAR1') && end.slice(-100).includes(CREATED_BY);
}

/** Rows as a Parquet file, a row group at a time: memory does not grow with the table. */
export async function* writeTable<C extends Columns>(
  columns: C,
  rows: AsyncIterable<Row<C>> | Iterable<Row<C>>,
): AsyncGenerator<Uint8Array> {
  const names = Object.keys(columns);
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({
    writer,
    createdBy: CREATED_BY,
    compressors: { SNAPPY: compress },
    schema: [
      { name: 'root', num_children: names.length },
      ...names.map((name) => ({
        name,
        repetition_type: 'OPTIONAL' as const,
        ...ELEMENTS[columns[name] ?? 'text'],
      })),
    ],
  });
  let group = new RowGroup(columns);
  for await (const row of rows) {
    group.add(row);
    if (!group.isFull) continue;
    await parquet.write({ columnData: group.columnData, rowGroupSize: MAX_ROWS });
    group = new RowGroup(columns);
    yield takeBytes(writer);
  }
  if (group.size > 0) await parquet.write({ columnData: group.columnData, rowGroupSize: MAX_ROWS });
  await parquet.finish();
  yield takeBytes(writer);
}

/** Takes the bytes written so far; `offset`, by which the file refers to its parts, continues. */
function takeBytes(writer: ByteWriter): Uint8Array {
  const bytes = new Uint8Array(writer.buffer, 0, writer.index).slice();
  writer.index = 0;
  return bytes;
}

class RowGroup<C extends Columns> {
  readonly #columns: readonly { name: string; type: ColumnType; data: Cell[] }[];
  #characters = 0;
  size = 0;

  constructor(columns: C) {
    this.#columns = Object.entries(columns).map(([name, type]) => ({ name, type, data: [] }));
  }

  get isFull(): boolean {
    return this.size >= MAX_ROWS || this.#characters >= MAX_CHARACTERS;
  }

  get columnData() {
    return this.#columns.map(({ name, data }) => ({ name, data }));
  }

  add(row: Row<C>): void {
    this.size += 1;
    for (const { name, type, data } of this.#columns) {
      const value = row[name] ?? null;
      if (typeof value === 'string') this.#characters += value.length;
      data.push(toCell(value, type));
    }
  }
}

/** A number that is none, or that no integer holds, is unknown. */
function toCell(value: string | number | boolean | null, type: ColumnType): Cell {
  if (typeof value !== 'number') return value;
  if (!Number.isFinite(value)) return null;
  if (type === 'number') return value;
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return null;
  // No date is further away.
  if (type === 'time' && Math.abs(value) > 8.64e15) return null;
  return BigInt(Math.trunc(value));
}
