import type { Dialect } from '../dialect/dialect.ts';
import { dialects } from '../agents/index.ts';
import {
  type Line,
  type LineSkimmer,
  NO_LINES,
  type SkimmedLines,
} from '../jsonl/read/line-splitter.ts';
import { type LineContent, parseLine } from '../jsonl/read/parse-line.ts';
import { skipSpace } from '../jsonl/edit/scan-json.ts';
import { isCompressed } from '../jsonl/zstd/is-compressed.ts';
import { readElements } from '../jsonl/read/read-elements.ts';
import { visitReduced } from '../jsonl/scanner/reduced-lines.ts';
import { type FileStamp, readLines, type ReadLinesOptions } from '../jsonl/read/read-lines.ts';
import type { Framing, LineFold } from '../dialect/fold.ts';

/** How many lines that say nothing are read before a file counts as no session. */
const LINES_TO_RECOGNIZE = 50;

/** `[` in UTF-8. */
const BRACKET = 0x5b;

export type FoldResult<T> =
  | { readonly kind: 'session'; readonly dialect: Dialect; readonly result: T }
  /** No line is one that a session file of a known agent would hold. */
  | { readonly kind: 'foreign'; readonly stamp: FileStamp }
  /** The file holds not one byte but white space, or an array without elements. */
  | { readonly kind: 'empty'; readonly stamp: FileStamp };

export type FoldFactory<T> = (dialect: Dialect, framing: Framing) => LineFold<T>;

/**
 * Reads a file, finds out by its content whose session it is, and folds its lines.
 * @throws FileError if the file cannot be read.
 */
export async function foldSession<T>(
  path: string,
  createFold: FoldFactory<T>,
  options: ReadLinesOptions,
): Promise<FoldResult<T>> {
  const isPacked = isCompressed(path);
  const readers = isPacked ? dialects.filter(({ packing }) => packing) : dialects;
  const lines = new Recognizer(createFold, 'lines', readers, !isPacked);
  const folded = await foldLines(path, lines, options);
  if (!lines.startsArray) return folded;

  const arrays = readers.filter(({ lines: { inArrays } }) => inArrays);
  const elements = new Recognizer(createFold, 'array', arrays);
  const read = readElements(path, (line) => elements.visit(line), options);
  const found = elements.finish(path, read.stamp, read.endsEarly);
  if (found.kind !== 'foreign') return found;
  // The first line may be a damaged one of a session.
  return await foldLines(path, new Recognizer(createFold, 'lines', readers), options);
}

async function foldLines<T>(
  path: string,
  lines: Recognizer<T>,
  options: ReadLinesOptions,
): Promise<FoldResult<T>> {
  const visit = (line: Line): void => {
    // The rest of a chunk costs nothing when it is not parsed.
    if (!options.isDone?.()) lines.visit(line);
  };
  const { signal, maxLineBytes, sum } = options;
  const stamp = await readLines(path, visit, {
    signal,
    maxLineBytes,
    sum,
    skim: (...slice) => lines.skim(...slice),
    isDone: () => lines.isForeign || options.isDone?.() === true,
  });
  return lines.finish(path, stamp);
}

function startsArray({ bytes }: Line): boolean {
  return bytes[skipSpace(bytes, 0)] === BRACKET;
}

/** Holds back the first lines until one of them shows whose they are. */
class Recognizer<T> {
  readonly #createFold: FoldFactory<T>;
  readonly #framing: Framing;
  /** The dialects whose agents would read the file. */
  readonly #dialects: readonly Dialect[];
  #dialect: Dialect | undefined;
  #fold: LineFold<T> | undefined;
  #held: { line: Line; content: LineContent }[] = [];
  #isDisowned = false;
  #isEmpty = true;
  readonly #seeksArray: boolean;
  /** An array begins on the first line: the others are not looked at. */
  startsArray = false;

  /** `seeksArray`: whether the lines may be those of one JSON array. */
  constructor(
    createFold: FoldFactory<T>,
    framing: Framing,
    readers: readonly Dialect[],
    seeksArray = false,
  ) {
    this.#createFold = createFold;
    this.#framing = framing;
    this.#dialects = readers;
    this.#seeksArray = seeksArray;
  }

  get isForeign(): boolean {
    if (this.#fold !== undefined) return false;
    return this.startsArray || this.#isDisowned || this.#held.length >= LINES_TO_RECOGNIZE;
  }

  skim(...slice: Parameters<LineSkimmer>): SkimmedLines {
    return this.#fold ? skimInto(this.#fold, ...slice) : NO_LINES;
  }

  visit(line: Line): void {
    if (this.isForeign) return;
    const content = parseLine(line);
    const fold = this.#fold ?? this.#recognize(line, content);
    if (fold) fold.visit(line, content);
    else this.#held.push({ line: { ...line, bytes: Buffer.from(line.bytes) }, content });
  }

  finish(path: string, stamp: FileStamp, endsEarly = false): FoldResult<T> {
    if (this.#isEmpty && !endsEarly) return { kind: 'empty', stamp };
    if (!this.#dialect || !this.#fold) return { kind: 'foreign', stamp };
    const result = this.#fold.finish({ path, stamp, endsEarly });
    return { kind: 'session', dialect: this.#dialect, result };
  }

  #recognize(line: Line, content: LineContent): LineFold<T> | undefined {
    if (content.kind === 'blank') return undefined;
    if (this.#isEmpty) this.startsArray = this.#seeksArray && startsArray(line);
    this.#isEmpty = false;
    if (this.startsArray) return undefined;
    if (content.kind !== 'object') return undefined;
    this.#dialect = this.#dialects.find((dialect) => dialect.lines.recognizes(content.value));
    this.#isDisowned = dialects.some((dialect) => dialect.lines.disowns?.(content.value));
    if (this.#isDisowned) return undefined;
    this.#fold = this.#dialect && this.#createFold(this.#dialect, this.#framing);
    if (this.#fold) for (const held of this.#held) this.#fold.visit(held.line, held.content);
    if (this.#fold) this.#held = [];
    return this.#fold;
  }
}

/** Has a fold take what it can of a chunk without parsing it: cut down to its plan if it has one now. */
export function skimInto(fold: LineFold<unknown>, ...slice: Parameters<LineSkimmer>): SkimmedLines {
  return fold.plan ? visitReduced(fold, ...slice) : (fold.skim?.(...slice) ?? NO_LINES);
}
