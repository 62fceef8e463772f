import CliTable from 'cli-table3';
import stringWidth from 'string-width';
import { isolate } from './escape.ts';
import type { Style } from './style.ts';

/** One column of a table of `T`. */
export interface Column<T> {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Shortened, with `…`, when the screen is too narrow; the others never are. */
  readonly shrinks?: boolean;
  /** Plain text, already safe for a terminal. */
  cell(row: T): string;
  /** Colours the finished cell. */
  paint?(text: string, style: Style, row: T): string;
}

export interface TableOptions {
  /** Of the screen, in columns; undefined where there is none to fit. */
  readonly width: number | undefined;
  readonly style: Style;
}

const GAP = '  ';
const MIN_WIDTH = 8;
/** Wide enough to tell sessions apart; only a screen asks for less. */
const MAX_WIDTH = 72;
/** cli-table3 slows down with the square of the rows; since cells have their widths, it needs few. */
const ROWS_PER_PIECE = 50;
const NO_LINES = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right']
    .concat(['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'])
    .map((part) => [part, '']),
);

/** A table without lines, a LF after each row; nothing for no rows. */
export function* formatTable<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  { width, style }: TableOptions,
): Generator<string> {
  if (rows.length === 0) return;
  const texts = rows.map((row) => columns.map((column) => column.cell(row)));
  const widths = fitWidths(columns, texts, width);
  const titles = columns.map(({ title }) => title);
  yield renderPiece([formatRow(titles, columns, widths, (title) => style.dim(title))]);
  let piece: string[][] = [];
  for (const [index, row] of rows.entries()) {
    const cells = texts[index] ?? [];
    const formatted = formatRow(cells, columns, widths, (text, column) => {
      return column.paint ? column.paint(text, style, row) : text;
    });
    const isPlain = cells.every((text) => PRINTABLE_ASCII.test(text));
    if (piece.length === ROWS_PER_PIECE || (!isPlain && piece.length > 0)) {
      yield renderPiece(piece);
      piece = [];
    }
    if (isPlain) piece.push(formatted);
    else yield renderPiece([formatted]);
  }
  if (piece.length > 0) yield renderPiece(piece);
}

/** The cells of a row, each as wide as its column. */
function formatRow<T>(
  texts: readonly string[],
  columns: readonly Column<T>[],
  widths: readonly number[],
  paint: (text: string, column: Column<T>) => string,
): string[] {
  return columns.map((column, index) => {
    const width = widths[index] ?? 0;
    const text = cut(texts[index] ?? '', width);
    const room = ' '.repeat(Math.max(width - measure(text), 0));
    const painted = paint(isolate(text), column);
    return column.align === 'right' ? room + painted : painted + room;
  });
}

/**
 * cli-table3 takes some scripts for wider or narrower than screens do. So it is told no widths, and
 * a row that is not ASCII is a table of its own: there, it neither cuts nor fills.
 */
function renderPiece(cells: readonly string[][]): string {
  const table = new CliTable({
    chars: { ...NO_LINES, middle: GAP },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(...cells);
  const lines = table.toString().split('\n');
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

function fitWidths<T>(
  columns: readonly Column<T>[],
  texts: readonly string[][],
  screen: number | undefined,
): number[] {
  const widths = columns.map(({ title, shrinks }, index) => {
    let width = measure(title);
    for (const row of texts) width = Math.max(width, measure(row[index] ?? ''));
    return shrinks ? Math.min(width, MAX_WIDTH) : width;
  });
  if (screen === undefined) return widths;
  let excess = sum(widths) + GAP.length * (widths.length - 1) - screen;
  // The widest gives first, so that columns which must shrink end up alike.
  while (excess > 0) {
    const widest = findWidest(columns, widths);
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}

const PRINTABLE_ASCII = /^[ -~]*$/;

/** Columns on the screen. Most text is plain, and then its length tells, a hundred times as fast. */
function measure(text: string): number {
  return PRINTABLE_ASCII.test(text) ? text.length : stringWidth(text);
}

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Shortened to so many columns of the screen, and never inside of what a person sees as one. */
function cut(text: string, width: number): string {
  if (text.length <= width && PRINTABLE_ASCII.test(text)) return text;
  if (measure(text) <= width) return text;
  let used = 1;
  let end = 0;
  for (const { segment, index } of GRAPHEMES.segment(text)) {
    used += measure(segment);
    if (used > width) break;
    end = index + segment.length;
  }
  return `${text.slice(0, end)}…`;
}

function findWidest<T>(
  columns: readonly Column<T>[],
  widths: readonly number[],
): number | undefined {
  let widest: number | undefined;
  for (const [index, width] of widths.entries()) {
    if (!columns[index]?.shrinks || width <= MIN_WIDTH) continue;
    if (widest === undefined || width > (widths[widest] ?? 0)) widest = index;
  }
  return widest;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
