import { findMatches } from './find-matches.ts';

/** The last: columns that blanks align. */
export const SEPARATORS = ['|', '│', '┃', '║', '\t', ',', ';', ' / ', ' : ', '  '] as const;
export type Separator = (typeof SEPARATORS)[number];
/** The text of a cell, and its place in the row. */
export type RowCell = readonly [text: string, at: number];

/** Cells between blanks. A cell may hold single ones. */
const ALIGNED = /\S+(?: \S+)*/g;
/** A longer tuple is not read. */
const MAX_TUPLE = 100_000;
/** The letter before a string of SQL: `N'x'`. */
const STRING_PREFIX = /^(\s{0,40})[A-Za-z](?=')/;

/** The cells of a row. A separator in quotes, or behind a backslash in Markdown, is none. */
export function splitRow(row: string, separator: Separator): readonly RowCell[] {
  if (separator === '  ')
    return Array.from(findMatches(row, ALIGNED), (cell) => [cell[0], cell.index]);
  if (separator.length > 1) {
    let at = -separator.length;
    let last = 0;
    return row.split(separator).map((part): RowCell => {
      at += last + separator.length;
      last = part.length;
      return [part, at];
    });
  }
  const mayQuote = separator === ',' || separator === ';';
  const cells: [string, number][] = [];
  let start = 0;
  for (let at = 0; at <= row.length; at += 1) {
    const sign = row[at];
    const isQuote = mayQuote && (sign === '"' || sign === "'");
    if (isQuote && row.slice(start, at).trim() === '') {
      at = findClose(row, at, '');
    } else if (sign === undefined || sign === separator) {
      if (sign === '|' && row[at - 1] === '\\') continue;
      cells.push([row.slice(start, at), start]);
      start = at + 1;
    }
  }
  return cells;
}

/** The place of the quote that ends a string, or of the one that begins it. Two stand for one. */
function findClose(text: string, open: number, escape: '\\' | ''): number {
  const quote = text.charAt(open);
  let close = text.indexOf(quote, open + 1);
  while (close > 0) {
    if (text[close + 1] === quote) close += 1;
    else if (escape === '' || text[close - 1] !== escape) return close;
    close = text.indexOf(quote, close + 1);
  }
  return open;
}

/** The values of SQL within brackets, and where these end; without any if they are never closed. */
export function readTuple(text: string, open: number): readonly [readonly RowCell[], number] {
  const inner = text.slice(open, open + MAX_TUPLE);
  const cells: RowCell[] = [];
  let start = 1;
  let depth = 0;
  for (let at = 0; at < inner.length; at += 1) {
    const sign = inner[at];
    if (sign === "'" || sign === '"') at = findClose(inner, at, '\\');
    else if (sign === '(') depth += 1;
    else if (sign === ')') depth -= 1;
    if ((sign === ',' && depth === 1) || depth === 0) {
      cells.push([inner.slice(start, at).replace(STRING_PREFIX, '$1 '), open + start]);
      start = at + 1;
    }
    if (depth === 0) return [cells, open + at + 1];
  }
  return [[], open];
}

/** Takes the blanks and quotes around a cell off. */
export function toName(cell: string): string {
  return cell.replace(/^[\s"'`*]{0,40}/, '').replace(/(?<![\s"'`*])[\s"'`*]{1,40}$/, '');
}
