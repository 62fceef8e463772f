import { isUtf8 } from 'node:buffer';
import type { Value, WholeRow } from '../../session/dialect/surroundings/rows.ts';
import { quote } from './insert-row.ts';

/** No column of an agent is called that. */
const TYPES = 'types of coppice';

/**
 * The columns of a table in a query, with the texts as bytes: the SQLite of Node gives a text only up to its first NUL,
 * and another character for a byte that is not UTF-8. The rows are for `withTexts`.
 */
export function selectBytes(columns: readonly string[]): string {
  const names = columns.map(quote);
  const asBytes = names.map(
    (name) =>
      `CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB) ELSE ${name} END AS ${name}`,
  );
  const types = names.map((name) => `typeof(${name})`).join(` || ' ' || `);
  return [...asBytes, `${types} AS ${quote(TYPES)}`].join(', ');
}

/** A row with whole texts; undefined where one of them is not UTF-8. */
export function withTexts(row: WholeRow): WholeRow | undefined {
  const types = String(row.get(TYPES)).split(' ');
  const texts = new Map<string, Value>();
  for (const [index, [column, value]] of [...row].entries()) {
    if (column === TYPES) continue;
    if (types[index] !== 'text') texts.set(column, value);
    else if (value instanceof Uint8Array && isUtf8(value)) {
      texts.set(column, Buffer.from(value).toString('utf8'));
    } else return undefined;
  }
  return texts;
}
