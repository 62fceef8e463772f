import { judgeName } from './secret-names.ts';
import { findMatches } from './find-matches.ts';
import { FOREIGN_NAMES, type NameInText } from './names.ts';
import type { Range } from '../text/view.ts';

/** A value below the name of its column. */
export interface Cell extends Range {
  readonly name: string;
  readonly value: string;
}

/** The last: columns that blanks align. */
const SEPARATORS = ['|', '│', '┃', '║', '\t', ',', ';', ' / ', ' : ', '  '] as const;
type Separator = (typeof SEPARATORS)[number];
/** Cells between blanks. A cell may hold single ones. */
const ALIGNED = /\S+(?: \S+)*/g;
const HEAD_CELL = /^[\p{L}\p{M}\w. -]{0,60}$/u;
/** A single column: its name, in the frame of a table. */
const ONLY_CELL =
  /^[ \t]{0,40}[|│┃║"'`*]{0,4}[ \t]{0,4}[\p{L}\p{M}\w.-]{2,60}["'`*:]{0,4}[ \t]{0,40}[|│┃║]?[ \t]{0,40}\r?$/u;
const ONLY_ROW =
  /^[ \t]{0,40}(?:[|│┃║→>•*-]{1,2}[ \t]{1,4}|\d{1,4}[.)|→\t][ \t]{0,4})?["'`]{0,3}(?<value>[^\s"'`|│┃║]{4,512})["'`]{0,3}[,;]?[ \t]{0,40}[|│┃║]?[ \t]{0,40}\r?$/;
const MAX_ROWS = 200;
/** The rows of a table of a page, and the cells of a row. */
const HTML_ROW = /<tr(?:\s[^<>]{0,200})?>/gi;
const HTML_CELL =
  /\s{0,40}<(?<tag>t[hd])(?:\s[^<>]{0,200})?>\s{0,40}(?:<(?:code|b|strong|em|pre|span|tt|kbd|p|i)(?:\s[^<>]{0,100})?>\s{0,8}){0,3}(?<value>[^<>\n]{0,250})(?:<\/\w{1,8}>\s{0,40}){0,4}/iy;
const RULER = /^[\s|+\u2500-\u257f:=-]*$/;
/** A longer line is not a row. */
const MAX_ROW = 2000;
const INSERT = /INSERT INTO [\w."`[\]]{1,100}\s{0,4}\((?<columns>[^()]{1,250})\)\s{0,10}VALUES/gi;
const TUPLE = /\s{0,10},?\s{0,10}\((?<row>[^()]{1,250})\)/y;

/** Values in tables of programs and of Markdown, in CSV, and in SQL, whose columns are named so. */
export function* findCells(text: string, nameds: readonly NameInText[]): Generator<Cell> {
  yield* findInTables(text, nameds);
  yield* findInPage(text);
  for (const { 0: match, index, groups } of findMatches(text, INSERT)) {
    const names = (groups?.['columns'] ?? '').split(',').map(toName);
    TUPLE.lastIndex = index + match.length;
    for (let row = TUPLE.exec(text); row; row = TUPLE.exec(text)) {
      const inner = row.groups?.['row'] ?? '';
      yield* readRow(splitRow(inner, ','), row.index + row[0].length - inner.length - 1, names);
    }
  }
}

function* findInTables(text: string, nameds: readonly NameInText[]): Generator<Cell> {
  let done = 0;
  for (const { start: index } of nameds) {
    if (index < done) continue;
    const start = text.lastIndexOf('\n', index) + 1;
    const head = readLine(text, start);
    done = start + head.length + 1;
    const separator = SEPARATORS.find((one) => isHead(head, one));
    if (separator === undefined) {
      if (ONLY_CELL.test(head)) done = yield* readOnlyColumn(text, done, head);
      continue;
    }
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

/** Reads the rows of a single column, lines of one word, and returns where they end. */
function* readOnlyColumn(text: string, from: number, head: string): Generator<Cell, number> {
  const name = head.replace(/[^\p{L}\p{M}\w.-]/gu, '');
  let at = from;
  for (let count = 0; count < MAX_ROWS && at < text.length; count += 1) {
    const row = readLine(text, at);
    const value = ONLY_ROW.exec(row)?.groups?.['value'] ?? '';
    if (value === '' && !RULER.test(row)) break;
    const start = at + row.indexOf(value);
    if (value !== '') yield { name, value, start, end: start + value.length };
    at += row.length + 1;
  }
  return at;
}

/** Reads the tables of a page: what is below the name of a column, or right of the name of a row. */
function* findInPage(text: string): Generator<Cell> {
  let names: readonly string[] = [];
  for (const { 0: tag, index } of findMatches(text, HTML_ROW)) {
    const cells: Cell[] = [];
    HTML_CELL.lastIndex = index + tag.length;
    for (let cell = HTML_CELL.exec(text); cell; cell = HTML_CELL.exec(text)) {
      const { value: inner = '' } = cell.groups ?? {};
      const value = inner.trim();
      const start = cell.index + cell[0].lastIndexOf(inner) + inner.indexOf(value);
      const before = cells.at(-1)?.value ?? '';
      const name = [names[cells.length] ?? '', before].find(isSecretName) ?? '';
      cells.push({ name, value, start, end: start + value.length });
    }
    if (cells.some(({ value }) => isSecretName(value))) names = cells.map(({ value }) => value);
    yield* cells.filter(({ name, value }) => name !== '' && value !== '');
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
  if (separator.length > 1) {
    const parts = row.split(separator);
    return parts.map((part, index) => [
      part,
      parts.slice(0, index).reduce((sum, { length }) => sum + length + separator.length, 0),
    ]);
  }
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
  return name !== '' && (judgeName(name) !== 'none' || name.search(FOREIGN_NAMES) === 0);
}

/** Takes the blanks and quotes around a cell off. */
function toName(cell: string): string {
  return cell.replace(/^[\s"'`*]{0,40}/, '').replace(/(?<![\s"'`*])[\s"'`*]{1,40}$/, '');
}
