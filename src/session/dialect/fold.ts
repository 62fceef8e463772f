import type { LinePlan } from '../jsonl/scanner/plan.ts';
import type { LineContent } from '../jsonl/read/parse-line.ts';
import type { Line, LineSkimmer, SkimmedLines } from '../jsonl/read/line-splitter.ts';
import type { FileStamp } from '../jsonl/read/read-lines.ts';
import type { Session } from '../model/session.ts';
import type { Entry, LineSpan } from '../model/entry.ts';
import type { JsonObject } from '../jsonl/edit/json.ts';

/** One JSON value a line; or, in an old dialect of pi, all of them in one JSON array. */
export type Framing = 'lines' | 'array';

/** The file that lines come from. */
export interface SourceFile {
  readonly path: string;
  readonly stamp: FileStamp;
  /** Whether a JSON array lacks its end, or something stands behind it. */
  readonly endsEarly?: boolean;
}

/** Something computed in one pass over the lines of a file. */
export interface LineFold<T> {
  /**
   * The members that it reads now of a line that holds an object: it may be given no others. Undefined if it
   * reads all of them.
   */
  readonly plan?: LinePlan | undefined;
  /** Takes lines by their bytes alone, where they are such that parsing would say the same. */
  skim?(...slice: Parameters<LineSkimmer>): SkimmedLines;
  /** `line.bytes` is valid only during the call; `content` may be kept. */
  visit(line: Line, content: LineContent): void;
  finish(file: SourceFile): T;
}

/** Builds the index of a session; can take lines whose shape has been judged, of any text. */
export interface IndexFold extends LineFold<Session> {
  /**
   * Takes lines as `skim` does: of a shape that the judge has found nothing wrong with. Each judge
   * is an object, which stands for all that it goes by.
   */
  skimJudged?(
    judge: object,
    visit: (unparsed: UnparsedEntry) => void,
    ...slice: Parameters<LineSkimmer>
  ): SkimmedLines;
  /** To be told of each line that was visited, once it has been judged. */
  learn?(line: Line, content: LineContent, isFaultless: boolean): void;
}

/** The facts about an entry whose line was not parsed; a null parent is one that the line states. */
export interface UnparsedEntry {
  readonly entry: Entry;
  /** The calls of tools that the model would see. */
  readonly calls: readonly { readonly id: string; readonly name: string }[];
  /** The id of the call that it answers. */
  readonly resultOf: string | undefined;
}

export type ReadPayload = (entry: LineSpan) => Promise<JsonObject>;
