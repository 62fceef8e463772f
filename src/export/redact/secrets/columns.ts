import { isFact } from './random-words.ts';
import { judgeName } from './secret-names.ts';
import { findMatches } from './find-matches.ts';
import { FOREIGN_NAMES } from './foreign-names.ts';
import type { NameInText } from './names.ts';
import { readTuple, type RowCell, type Separator, SEPARATORS, splitRow, toName } from './rows.ts';
import type { Range } from '../text/view.ts';
import { findBefore, isLikeSecret } from './values.ts';

/** A value below the name of its column. */
export interface Cell extends Range {
  readonly name: string;
  readonly value: string;
}

const HEAD_CELL = /^(?:[\p{L}\p{M}\w. -]{0,60}|[\w.-]{0,100})$/u;
/** Other names of columns: anything in the frame of a table, and no program elsewhere: `User (old)`, `#`. */
const FRAMED_HEAD_CELL = /^.{0,100}$/u;
const OTHER_HEAD_CELL =
  /^(?:[^()[\]{}<>=;"'`]|(?<=\p{L})'(?=\p{L})|\([^()]{0,40}\)|\[[^[\]]{0,40}\]){0,60}$/u;
const FRAMES = '|│┃║';

/** Signs around the name of a column: an emoji, a link, a remark in brackets. */
const BEFORE_NAME = /^[^\p{L}\p{M}\w]{1,20}/u;
const AFTER_NAME =
  /(?:\]\([^()]{0,200}\)|[ \t]{0,4}[([][^()[\]]{0,60}[)\]]|[ \t]{0,4}[:*?!†]{1,3}){1,3}$/u;
/** A single column: its name, in the frame of a table. */
const ONLY_CELL =
  /^[ \t]{0,40}[|│┃║"'`*]{0,4}[ \t]{0,4}[\p{L}\p{M}\w.-]{2,100}["'`*:]{0,4}[ \t]{0,40}[|│┃║]?[ \t]{0,40}\r?$/u;
const ONLY_ROW =
  /^[ \t]{0,40}(?:[|│┃║→>•*-]{1,2}[ \t]{1,4}|\d{1,4}[.)|→\t][ \t]{0,4})?["'`]{0,3}(?<value>[^\s"'`|│┃║]{4,512})["'`]{0,3}[,;]?[ \t]{0,40}[|│┃║]?[ \t]{0,40}\r?$/;
/** The rows of a table of a page, and the cells of a row. */
const HTML_ROW = /<tr(?:\s[^<>]{0,200})?>/gi;
const HTML_CELL =
  /\s{0,40}<t[hd](?:\s[^<>]{0,200})?>(?<inner>(?:[^<]|<(?!\/?t[rdh][\s>])){0,20000})(?:<\/t[hd]>)?/iy;
/** The texts between the tags of a cell. */
const PIECE = /(?<=^|>)[^<>]+/g;
const DOUBLED = /^[ \t]{0,8}\|\|[^|]/;
/** Between the columns of Polars, whose frame has another sign. */
const LIGHT = /[┆┊]/g;
const RULER = /^[\s|+\u2500-\u257f:=-]*$/;
/** The number of rows, below a table. */
const COUNT = /^\(\d{1,9} rows?\)/;
/** A line between rows that is not a row. */
const COMMENT = /^[ \t]{0,40}(?:#|--[ ])/;
/** What stands before the first word of a cell, and the word. */
const FIRST_WORD = /^(?:<[a-z]{1,10}>|[["'`*(]){0,6}(?<word>[^\s<"'`][^\s"'`]{3,511})/i;
/** A longer line is not the head of a table, or not a row. */
const MAX_HEAD = 50_000;
const MAX_ROW = 500_000;
/** The name of a column that a program gives, below which some rows may have other cells. */
const ONE_WORD = /^[\w.-]{0,60}$/;
const MAX_OTHERS = 20;
/** Separators of rows whose cells may be in quotes, how many of these have ends of lines, and the most characters behind one. */
const QUOTED = ',;';
const MAX_QUOTED = 8;
const MAX_RECORD = 4000;
const INSERT =
  /(?:INSERT(?:[ \t]\w{1,12}){0,2}|REPLACE)[ \t]INTO\s{1,10}[\w."`[\]]{1,100}\s{0,10}\((?<columns>[^()]{1,2000})\)(?:\s{1,10}OVERRIDING \w{1,10} VALUE)?\s{0,40}VALUES?/gi;
const BEFORE_TUPLE =
  /\s{0,40},?\s{0,40}(?:(?:--[^\n]{0,200}\n|\/\*[^*]{0,200}\*\/)\s{0,40}){0,4}(?=\()/y;

/** Values in tables of programs and of Markdown, in CSV, and in SQL, whose columns are named so. */
export function* findCells(text: string, nameds: readonly NameInText[]): Generator<Cell> {
  yield* findInTables(text, nameds);
  yield* findInRows(text, nameds);
  yield* findInPage(text);
  for (const { 0: match, index, groups } of findMatches(text, INSERT)) {
    const names = (groups?.['columns'] ?? '').replace(/[[\]]/g, '').split(',').map(toName);
    BEFORE_TUPLE.lastIndex = index + match.length;
    while (BEFORE_TUPLE.test(text)) {
      const [cells, end] = readTuple(text, BEFORE_TUPLE.lastIndex);
      if (cells.length === 0) break;
      yield* readRow(cells, 0, names);
      BEFORE_TUPLE.lastIndex = end;
    }
  }
}

function* findInTables(text: string, nameds: readonly NameInText[]): Generator<Cell> {
  let done = 0;
  for (const { line, start } of listNamedLines(text, nameds)) {
    if (start < done) continue;
    done = start + line.length + 1;
    // Jira doubles the signs in the head of a table.
    const head = DOUBLED.test(line) ? line.replaceAll('||', '|') : line.replace(LIGHT, '│');
    const separator = findSeparator(head);
    if (separator === undefined) {
      if (ONLY_CELL.test(head)) done = yield* readOnlyColumn(text, done, head);
      continue;
    }
    const table = { head, heads: readHeads(head, separator), separator };
    const most = table.heads.every(({ name }) => ONE_WORD.test(name)) ? MAX_OTHERS : 0;
    for (let others = 0; done < text.length;) {
      const { row, cells, columns } = readColumns(text, done, table);
      const isOther = !columns && !RULER.test(row) && !COMMENT.test(row);
      others = isOther ? others + 1 : 0;
      if (isOther && (others > most || row === '' || findSeparator(row) !== undefined)) break;
      const names = columns?.map((column) => column?.name ?? '') ?? [];
      yield* readRow(cells, done, names, FRAMES.includes(separator));
      done += row.length + 1;
      if (row === '') break;
    }
  }
}

interface Row {
  readonly row: string;
  readonly cells: readonly RowCell[];
  readonly columns: readonly (Head | undefined)[] | undefined;
}

/** Reads a row with the columns of its cells, one of which may hold ends of lines in its quotes. */
function readColumns(text: string, start: number, table: Table): Row {
  const line = readTableRow(readLine(text, start), table);
  let whole = line;
  for (let count = 0; count < MAX_QUOTED && !whole.columns; count += 1) {
    const { length } = whole.row;
    if (!QUOTED.includes(table.separator) || whole.row.split('"').length % 2 === 1) return line;
    const close = text.slice(start + length, start + length + MAX_RECORD).indexOf('"');
    if (close === -1) return line;
    const end = start + length + close;
    whole = readTableRow(text.slice(start, end) + readLine(text, end), table);
  }
  return whole.columns ? whole : line;
}

function readTableRow(line: string, { head, heads, separator }: Table): Row {
  const row = line.replace(LIGHT, '│');
  const cells = row.length > MAX_ROW ? [] : splitRow(row, toOwnSeparator(row, separator));
  return { row, cells, columns: findColumns(cells, heads, { head, row, separator }) };
}

/** A head between heavy lines may have light ones below it, as Python's rich draws tables. */
function toOwnSeparator(row: string, separator: Separator): Separator {
  return separator === '┃' && !row.includes('┃') ? '│' : separator;
}

interface Line {
  readonly head: string;
  readonly row: string;
  readonly separator: Separator;
}

interface Head extends Range {
  readonly name: string;
}

interface Table {
  readonly head: string;
  readonly heads: readonly Head[];
  readonly separator: Separator;
}

function readHeads(head: string, separator: Separator): readonly Head[] {
  return splitRow(head, separator).map(([cell, start]) => ({
    name: toColumnName(toName(cell)),
    start,
    end: start + cell.length,
  }));
}

/** Finds the columns of the cells of a row, unless it is a line below the table. */
function findColumns(
  cells: readonly RowCell[],
  heads: readonly Head[],
  { head, row, separator }: Line,
): readonly (Head | undefined)[] | undefined {
  const placed = separator === '  ' ? placeCells(cells, heads) : undefined;
  if (placed) return placed;
  if (cells.length === heads.length || isInFrame(head, row, separator)) return heads;
  // Programs leave out the last cells of a row if they are empty, or write a sign behind it.
  const others = cells.slice(heads.length);
  const isShort = separator === '\t' && cells.length > 1 && others.length === 0;
  const isLong = others.length > 0 && others.every(([cell]) => cell.trim() === '');
  return isShort || isLong ? heads : undefined;
}

/**
 * Finds the column of each cell by its place, as an empty cell leaves blanks alone. The number of a row has none. Returns
 * nothing if a cell is not below one name.
 */
function placeCells(
  cells: readonly RowCell[],
  heads: readonly Head[],
): readonly (Head | undefined)[] | undefined {
  const placed: (Head | undefined)[] = [];
  let column = 0;
  for (const [cell, at] of cells) {
    const end = at + cell.length;
    while ((heads[column]?.end ?? Infinity) <= at) column += 1;
    const above = heads[column];
    const next = heads[column + 1];
    const isFirst = cells.length > 1 && placed.length === 0 && column === 0;
    const isNumber = isFirst && end <= (above?.start ?? 0);
    // A longer one that begins with its name has its column, too.
    const isBelow =
      above !== undefined &&
      above.start < end &&
      (above.start === at || !(next && next.start < end));
    if (!isNumber && !isBelow) return undefined;
    placed.push(isNumber ? undefined : above);
    if (!isNumber) column += 1;
  }
  const isOther = cells.length !== heads.length && cells.some(([cell]) => isSecretName(cell));
  return cells.length === 0 || isOther ? undefined : placed;
}

/** Reads the values of framed rows that begin with a name, behind what else is said of it: `| name | type | value |`. */
function* findInRows(text: string, nameds: readonly NameInText[]): Generator<Cell> {
  for (const { line: row, start } of listNamedLines(text, nameds)) {
    const [frame = ''] = row.trimStart();
    const separator = SEPARATORS.find((one) => one === frame && FRAMES.includes(one));
    if (separator === undefined || row.length > MAX_HEAD) continue;
    const cells = splitRow(row, separator);
    const names = cells.map(([cell]) => toColumnName(toName(cell)));
    const at = names.findIndex(isSecretName);
    if (at === -1) continue;
    yield* readRow(
      cells,
      start,
      names.map((_, column) => (column > at ? (names[at] ?? '') : '')),
      true,
    );
  }
}

/** Reads the rows of a single column, lines of one word, and returns where they end. */
function* readOnlyColumn(text: string, from: number, head: string): Generator<Cell, number> {
  const name = head.replace(/[^\p{L}\p{M}\w.-]/gu, '');
  let at = from;
  let most = 0;
  for (let others = 0; at < text.length;) {
    const row = readLine(text, at);
    const value = ONLY_ROW.exec(row)?.groups?.['value'] ?? '';
    const isRuler = RULER.test(row);
    if (isRuler) most = row === '' ? 0 : MAX_OTHERS;
    others = value === '' && !isRuler ? others + 1 : 0;
    if (others > most || COUNT.test(row)) break;
    // The head of a table below a heading, such as the name of its file.
    if (findSeparator(row) !== undefined) break;
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
    const heads: string[] = [];
    HTML_CELL.lastIndex = index + tag.length;
    for (let cell = HTML_CELL.exec(text); cell; cell = HTML_CELL.exec(text)) {
      const { inner = '' } = cell.groups ?? {};
      const start = cell.index + cell[0].indexOf('>') + 1;
      const pieces = Array.from(findMatches(inner, PIECE), (piece) => toPiece(piece, start));
      const own = pieces
        .map(({ value }) => value)
        .join(' ')
        .trim();
      const name = [names[heads.length] ?? '', heads.at(-1) ?? ''].find(isSecretName) ?? '';
      if (name !== '')
        yield* pieces.filter(({ value }) => value !== '').map((one) => ({ ...one, name }));
      heads.push(toColumnName(own));
    }
    if (heads.some(isSecretName)) names = heads;
  }
}

function toPiece({ 0: text, index }: RegExpExecArray, by: number): Omit<Cell, 'name'> {
  const value = text.trim();
  const start = by + index + text.indexOf(value);
  return { value, start, end: start + value.length };
}

interface NamedLine {
  readonly line: string;
  readonly start: number;
}

/** Lists the lines on which names stand, each once. */
function* listNamedLines(text: string, nameds: readonly NameInText[]): Generator<NamedLine> {
  let done = 0;
  for (const { start: index } of nameds) {
    if (index < done) continue;
    const start = text.lastIndexOf('\n', index) + 1;
    const line = readLine(text, start);
    done = start + line.length + 1;
    yield { line, start };
  }
}

function readLine(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  return text.slice(start, end === -1 ? text.length : end);
}

/** Returns the sign between the columns that a line names. */
function findSeparator(line: string): Separator | undefined {
  return (
    SEPARATORS.find((one) => isHead(line, one, HEAD_CELL)) ??
    SEPARATORS.find((one) =>
      isHead(line, one, `${FRAMES}\t`.includes(one) ? FRAMED_HEAD_CELL : OTHER_HEAD_CELL),
    )
  );
}

function isHead(line: string, separator: Separator, cell: RegExp): boolean {
  if (line.length > MAX_HEAD || !line.includes(separator)) return false;
  if (separator === '\t' && isAlignedBehindTabs(line)) return false;
  const cells = splitRow(line, separator).map(([text]) => toName(text));
  // A list of packages and their versions, one of which is called `passwd`.
  if (cells.some(isFact)) return false;
  // A single column has its own rows.
  if (cell !== HEAD_CELL && cells.filter((text) => text !== '').length < 2) return false;
  return (
    cells.every((text) => cell.test(text)) && cells.some((text) => isSecretName(toColumnName(text)))
  );
}

/** Returns whether tabs only indent a line, and blanks align its columns. */
function isAlignedBehindTabs(line: string): boolean {
  const columns = line.trim();
  return columns.includes('  ') && !columns.includes('\t');
}

/** Returns whether a row is in the frame of a table, and may have less cells than that. */
function isInFrame(head: string, row: string, separator: Separator): boolean {
  return (
    FRAMES.includes(separator) &&
    head.trimStart().startsWith(separator) &&
    row.trimStart().startsWith(separator)
  );
}

/** Takes off what stands around the name of a column. */
function toColumnName(cell: string): string {
  const name = cell.replace(BEFORE_NAME, '').replace(AFTER_NAME, '');
  return name === cell ? cell : toName(name);
}

function* readRow(
  cells: readonly RowCell[],
  start: number,
  names: readonly string[],
  isFramed = false,
): Generator<Cell> {
  for (const [index, [cell, at]] of cells.entries()) {
    const value = toName(cell);
    const name = names[index] ?? '';
    const from = start + at + cell.indexOf(value);
    if (value === '' || !isSecretName(name)) continue;
    yield { name, value, start: from, end: from + value.length };
    const word = isFramed ? findWord(value) : undefined;
    if (word) yield { name, ...word, start: from + word.start, end: from + word.end };
  }
}

/** Finds the first word of a cell that has more: a remark, a sign, an element of a page, a link. */
function findWord(cell: string): (Range & { readonly value: string }) | undefined {
  const { 0: match = '', groups } = FIRST_WORD.exec(cell) ?? {};
  const value = findBefore(groups?.['word'] ?? '', isLikeSecret);
  if (value === undefined || value === cell) return undefined;
  const start = match.length - (groups?.['word'] ?? '').length;
  return { value, start, end: start + value.length };
}

function isSecretName(name: string): boolean {
  return name !== '' && (judgeName(name) !== 'none' || name.search(FOREIGN_NAMES) === 0);
}
