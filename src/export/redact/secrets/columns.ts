import { judgeName } from './secret-names.ts';
import { findMatches } from './find-matches.ts';
import type { Range } from '../text/view.ts';

/** A value below the name of its column. */
export interface Cell extends Range {
  readonly name: string;
  readonly value: string;
}

const MAY_NAME = /(?:pass|secret|token|api_?key|credential)/gi;
/** The last: columns that blanks align. */
const SEPARATORS = ['|', '│', '┃', '\t', ',', ';', '  '] as const;
type Separator = (typeof SEPARATORS)[number];
/** Cells between blanks. A cell may hold single ones. */
const ALIGNED = /\S+(?: \S+)*/g;
const HEAD_CELL = /^[\w. -]{0,60}$/;
const RULER = /^[\s|+│┃─━┼╋├┤:=-]*$/;
/** A longer line is not a row. */
const MAX_ROW = 2000;
const INSERT = /INSERT INTO [\w."`[\]]{1,100}\s{0,4}\((?<columns>[^()]{1,250})\)\s{0,10}VALUES/gi;
const TUPLE = /\s{0,10},?\s{0,10}\((?<row>[^()]{1,250})\)/y;

/** Values in tables of programs and of Markdown, in CSV, and in SQL, whose columns are named so. */
export function* findCells(text: string): Generator<Cell> {
  yield* findInTables(text);
  for (const { 0: match, index, groups } of findMatches(text, INSERT)) {
    const names = (groups?.['columns'] ?? '').split(',').map(toName);
    TUPLE.lastIndex = index + match.length;
    for (let row = TUPLE.exec(text); row; row = TUPLE.exec(text)) {
      const inner = row.groups?.['row'] ?? '';
      yield* readRow(splitRow(inner, ','), row.index + row[0].length - inner.length - 1, names);
    }
  }
}

function* findInTables(text: string): Generator<Cell> {
  let done = 0;
  for (const { index } of findMatches(text, MAY_NAME)) {
    if (index < done) continue;
    const start = text.lastIndexOf('\n', index) + 1;
    const head = readLine(text, start);
    done = start + head.length + 1;
    const separator = SEPARATORS.find((one) => isHead(head, one));
    if (separator === undefined) continue;
    const names = readNames(head, separator);
    while (done < text.length) {
      const row = readLine(text, done);
      const cells = row.length > MAX_ROW ? [] : splitRow(row, separator);
      if (!RULER.test(row) && cells.length !== names.length) break;
      yield* readRow(cells, done, names);
      done += row.length + 1;
      if (row === '') break;
    }
  }
}

function readLine(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  return text.slice(start, end === -1 ? text.length : end);
}

function isHead(line: string, separator: Separator): boolean {
  if (line.length > MAX_ROW || !line.includes(separator)) return false;
  const names = readNames(line, separator);
  return names.every((name) => HEAD_CELL.test(name)) && names.some(isSecretName);
}

function readNames(head: string, separator: Separator): readonly string[] {
  return splitRow(head, separator).map(([cell]) => toName(cell));
}

/** The cells of a row, and where they begin. A separator in quotes is none. */
function splitRow(row: string, separator: Separator): readonly (readonly [string, number])[] {
  if (separator === '  ')
    return Array.from(findMatches(row, ALIGNED), (cell) => [cell[0], cell.index]);
  const mayQuote = separator === ',' || separator === ';';
  const cells: [string, number][] = [];
  let start = 0;
  for (let at = 0; at <= row.length; at += 1) {
    const sign = row[at];
    const isQuote = mayQuote && (sign === '"' || sign === "'");
    if (isQuote && row.slice(start, at).trim() === '') {
      const close = row.indexOf(sign, at + 1);
      if (close > 0) at = close;
    } else if (sign === undefined || sign === separator) {
      cells.push([row.slice(start, at), start]);
      start = at + 1;
    }
  }
  return cells;
}

function* readRow(
  cells: readonly (readonly [string, number])[],
  start: number,
  names: readonly string[],
): Generator<Cell> {
  for (const [index, [cell, at]] of cells.entries()) {
    const value = toName(cell);
    const name = names[index] ?? '';
    const from = start + at + cell.indexOf(value);
    if (value !== '' && isSecretName(name)) {
      yield { name, value, start: from, end: from + value.length };
    }
  }
}

function isSecretName(name: string): boolean {
  return name !== '' && judgeName(name) !== 'none';
}

/** Without blanks and quotes around it. */
function toName(cell: string): string {
  return cell.replace(/^[\s"'`*]{0,40}/, '').replace(/(?<![\s"'`*])[\s"'`*]{1,40}$/, '');
}
