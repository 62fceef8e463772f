import CliTable from 'cli-table3';
import { isolate } from './escape.ts';
import type { Style } from './style.ts';

/** One column of a table of `T`. */
export interface Column<T> {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Shortened at that end, with `…`, when the screen is too narrow; the others never are. */
  readonly shrinks?: 'start' | 'end';
  /** Left out, the last such column first, where the screen is too narrow for all of them. */
  readonly isMinor?: boolean;
  /** Plain text, already safe for a terminal. */
  cell(row: T): string;
  /** Colors the finished cell. */
  paint?(text: string, style: Style, row: T): string;
}

export interface TableOptions {
  /** The width of the screen, in columns; undefined if there is none to fit. */
  readonly width: number | undefined;
  readonly style: Style;
}

const GAP = '  ';
const MIN_WIDTH = 8;
/**
 * The width that text gets: enough to distinguish sessions. Into a pipe nothing is shortened: a longer text
 * moves the rest of its own row, and does not widen all others.
 */
const MAX_WIDTH = 72;
/** Narrower than this, a column that shrinks says less than one that is left out. */
const COMFORTABLE_WIDTH = 16;
/** Stands for each cell where a row is drawn. */
const MARK = 'x';
const PARTS = [
  'top',
  'top-mid',
  'top-left',
  'top-right',
  'bottom',
  'bottom-mid',
  'bottom-left',
].concat(['bottom-right', 'left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid']);
const BARE = {
  chars: { ...Object.fromEntries(PARTS.map((part) => [part, ''])), middle: GAP },
  style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
};

/** A table without lines, a LF after each row; nothing for no rows. */
export async function formatTable<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  { width, style }: TableOptions,
): Promise<Iterable<string>> {
  if (rows.length === 0) return [];
  const looked = columns.map((column) => fill(column, rows));
  // Into a pipe, each line has all columns.
  const filled = looked.filter(({ longest }) => longest > 0 || width === undefined);
  // Loading it takes as long as laying out a hundred rows.
  if (!filled.every((one) => one.isSimple)) {
    stringWidth ??= (await import('string-width')).default;
  }
  const all = filled.map((one): Filled<T> => {
    const { column, getText, isSimple: areSimple, longest } = one;
    // Paths are read by programs, too, which may count columns.
    const limit = width === undefined && column.shrinks === 'start' ? Infinity : MAX_WIDTH;
    let widest = Math.max(measureIn(one, column.title, limit), areSimple ? longest : 0);
    if (!areSimple) {
      rows.forEach((row, index) => {
        widest = Math.max(widest, measureIn(one, getText(row, index), limit));
      });
    }
    const wanted = column.shrinks ? Math.min(widest, limit) : widest;
    return { column, getText, isSimple: areSimple, width: wanted };
  });
  return renderRows(rows, chooseColumns(all, width), { width, style });
}

/** A column, with what is known of all that is in it. */
interface Filled<T> {
  readonly column: Column<T>;
  readonly getText: (row: T, index: number) => string;
  /** Whether all cells are: then none is looked at again. */
  readonly isSimple: boolean;
  /** The width that it would like to have. */
  readonly width: number;
}

/** Looks at all cells of a column. Keeps short ones; long ones are made again when they are drawn. */
function fill<T>(
  column: Column<T>,
  rows: readonly T[],
): Omit<Filled<T>, 'width'> & { readonly longest: number } {
  const kept: string[] = [];
  let areSimple = true;
  let longest = 0;
  for (const row of rows) {
    const text = column.cell(row);
    if (!column.shrinks) kept.push(text);
    areSimple &&= isSimple(text);
    longest = Math.max(longest, text.length);
  }
  const getText = (row: T, index: number): string => kept[index] ?? column.cell(row);
  return { column, getText, isSimple: areSimple, longest };
}

/** Leaves out minor columns as long as the others do not fit the screen in a width that says something. */
function chooseColumns<T>(
  all: readonly Filled<T>[],
  screen: number | undefined,
): readonly Filled<T>[] {
  if (screen === undefined) return all;
  const least = all.map(({ column, width }) =>
    column.shrinks ? Math.min(width, COMFORTABLE_WIDTH) : width,
  );
  const last = all.findLastIndex(({ column }) => column.isMinor);
  if (last === -1 || sum(least) + GAP.length * (all.length - 1) <= screen) return all;
  return chooseColumns(
    all.filter((_, index) => index !== last),
    screen,
  );
}

function* renderRows<T>(
  rows: readonly T[],
  chosen: readonly Filled<T>[],
  { width, style }: TableOptions,
): Generator<string> {
  const widths = fitWidths(chosen, width);
  const gaps = drawGaps(chosen.length);
  const isCut = width !== undefined;
  const draw = (toText: (one: Filled<T>) => string, paint: Paint<T>): string => {
    const cells = chosen.map((one, at) => {
      const cell = drawCell(toText(one), one, { room: widths[at] ?? 0, isCut }, paint);
      return (gaps[at] ?? '') + cell;
    });
    return `${cells.join('').trimEnd()}\n`;
  };
  yield draw(
    ({ column }) => column.title,
    (title) => style.dim(title),
  );
  for (const [index, row] of rows.entries()) {
    yield draw(
      ({ getText }) => getText(row, index),
      (text, column) => (column.paint ? column.paint(text, style, row) : text),
    );
  }
}

type Paint<T> = (text: string, column: Column<T>) => string;

/** A cell, shortened (if that is wanted) or filled up to the room of its column. */
function drawCell<T>(
  text: string,
  one: Filled<T>,
  { room, isCut }: { readonly room: number; readonly isCut: boolean },
  paint: Paint<T>,
): string {
  const { column, isSimple: isPlain } = one;
  const cell = { text, width: measureIn(one, text, room) };
  const shown = isCut ? cut(cell, room, column.shrinks) : cell;
  const rest = ' '.repeat(Math.max(room - shown.width, 0));
  const painted = paint(isPlain ? shown.text : isolate(shown.text), column);
  return column.align === 'right' ? rest + painted : painted + rest;
}

/**
 * Draws a row, and returns what stands before each of its cells. All rows are alike in that:
 * cli-table3 draws one of them, as each takes it twenty times as long as filling in the cells, and it
 * takes some scripts for wider or narrower than screens do.
 */
function drawGaps(columns: number): readonly string[] {
  const table = new CliTable(BARE);
  table.push(Array.from({ length: columns }, () => MARK));
  return table.toString().split(MARK);
}

function fitWidths<T>(chosen: readonly Filled<T>[], screen: number | undefined): number[] {
  const columns = chosen.map(({ column }) => column);
  const widths = chosen.map(({ width }) => width);
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

/** Text, and the columns of a screen that it takes. */
interface Cell {
  readonly text: string;
  readonly width: number;
}

/** Measures the text of a cell; where it may be shortened, only up to a limit. */
function measureIn<T>(
  { column: { shrinks }, isSimple: isPlain }: Pick<Filled<T>, 'column' | 'isSimple'>,
  text: string,
  limit: number,
): number {
  if (isPlain) return text.length;
  return shrinks ? measureUpTo(text, limit) : measure(text);
}

/**
 * ASCII, and of Latin, Greek, Cyrillic, punctuation and lines what takes one column, whatever stands
 * beside it. Most text is such, and its length is its width, found a hundred times as fast.
 */
const SIMPLE =
  /^[ -~\u00a1-\u00a8\u00aa-\u00ac\u00af-\u024f\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2500-\u257f\u25e6]*$/;
let graphemes: Intl.Segmenter | undefined;
/** Loaded where a text is not simple. */
let stringWidth: ((text: string) => number) | undefined;

function isSimple(text: string): boolean {
  return SIMPLE.test(text);
}

/** Splits a text into the characters that a person sees. */
function splitGraphemes(text: string): Intl.Segments {
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return graphemes.segment(text);
}

function measure(text: string): number {
  return isSimple(text) || !stringWidth ? text.length : stringWidth(text);
}

/** Measures a text up to the limit; a longer one is only known to be longer. */
function measureUpTo(text: string, limit: number): number {
  if (isSimple(text)) return text.length;
  let width = 0;
  for (const { segment } of splitGraphemes(text)) {
    width += measureGrapheme(segment);
    if (width > limit) break;
  }
  return width;
}

/** Shortened at one end to this many columns of the screen, and never inside of what a person sees as one. */
function cut({ text, width }: Cell, room: number, end: 'start' | 'end' = 'end'): Cell {
  if (width <= room) return { text, width };
  const isStart = end === 'start';
  const mark = (kept: string): string => (isStart ? `…${kept}` : `${kept}…`);
  if (isSimple(text)) {
    const kept = isStart ? text.slice(text.length - room + 1) : text.slice(0, room - 1);
    return { text: mark(kept), width: room };
  }
  const segments = splitGraphemes(text);
  let used = 1;
  let kept = '';
  for (const { segment } of isStart ? Array.from(segments).toReversed() : segments) {
    const more = measureGrapheme(segment);
    if (used + more > room) break;
    used += more;
    kept = isStart ? segment + kept : kept + segment;
  }
  return { text: mark(kept), width: used };
}

const knownWidths = new Map<string, number>();

/** Measures a character; widths of short ones are remembered, since they recur. */
function measureGrapheme(grapheme: string): number {
  const known = knownWidths.get(grapheme);
  if (known !== undefined) return known;
  const width = measure(grapheme);
  if (grapheme.length <= 2) knownWidths.set(grapheme, width);
  return width;
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
