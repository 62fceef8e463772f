import { judgeName } from './secret-names.ts';
import { findMatches } from './find-matches.ts';
import type { Range } from '../text/view.ts';

/** A value below the name of its column. */
export interface Cell extends Range {
  readonly name: string;
  readonly value: string;
}

const MAY_NAME = /(?:pass|secret|token|api_?key|credential)/gi;
const SEPARATORS = ['|', '│', '┃', '\t', ','] as const;
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
      yield* readRow(inner, row.index + row[0].length - inner.length - 1, names, ',');
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
    const names = head.split(separator).map(toName);
    while (done < text.length) {
      const row = readLine(text, done);
      if (!RULER.test(row) && row.split(separator, names.length + 1).length !== names.length) break;
      yield* readRow(row, done, names, separator);
      done += row.length + 1;
      if (row === '') break;
    }
  }
}

function readLine(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  return text.slice(start, end === -1 ? text.length : end);
}

function isHead(line: string, separator: string): boolean {
  if (line.length > MAX_ROW || !line.includes(separator)) return false;
  const names = line.split(separator).map(toName);
  return names.every((name) => HEAD_CELL.test(name)) && names.some(isSecretName);
}

function* readRow(
  row: string,
  start: number,
  names: readonly string[],
  separator: string,
): Generator<Cell> {
  let at = start;
  for (const [index, cell] of row.split(separator).entries()) {
    const value = toName(cell);
    const name = names[index] ?? '';
    const from = at + cell.indexOf(value);
    if (value !== '' && isSecretName(name)) {
      yield { name, value, start: from, end: from + value.length };
    }
    at += cell.length + separator.length;
  }
}

function isSecretName(name: string): boolean {
  return name !== '' && judgeName(name) !== 'none';
}

/** Without blanks and quotes around it. */
function toName(cell: string): string {
  return cell.replace(/^[\s"'`*]{0,40}/, '').replace(/(?<![\s"'`*])[\s"'`*]{1,40}$/, '');
}
