import type { LinePlan } from '../jsonl/scanner/plan.ts';
import type { LineContent } from '../jsonl/read/parse-line.ts';
import type { Line, LineSkimmer, SkimmedLines } from '../jsonl/read/line-splitter.ts';
import type { FileStamp } from '../jsonl/read/read-lines.ts';
import type { Session } from '../model/session.ts';
import type { LineSpan } from '../model/entry.ts';
import type { JsonObject } from '../jsonl/edit/json.ts';
import type { KnownShapes } from './known-shapes.ts';

/** One JSON value a line; or, in an old dialect of pi, all of them in one JSON array. */
export type Framing = 'lines' | 'array';

/** The file that lines come from. */
export interface SourceFile {
  readonly path: string;
  readonly stamp: FileStamp;
  /** Whether a JSON array lacks its end, or something stands behind it. */
  readonly endsEarly?: boolean;
}

/** Something computed from the lines of a file, read once. */
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

/** A fold that refuses files in which something is unusual: it is undefined for these. */
export interface PlainFold<T> extends LineFold<T | undefined> {
  /** The refusal is known before the end, so that no more lines are read. */
  readonly isRefused: boolean;
}

/** Builds the index of a session. */
export interface IndexFold extends LineFold<Session> {
  /** Undefined if every line is parsed, or reduced to the plan. */
  readonly shapes?: KnownShapes | undefined;
  /**
   * The plan where another fold sees the same lines, and so none can be taken by its bytes alone; that of the fold
   * unless given.
   */
  readonly sharedPlan?: LinePlan | undefined;
  /** Whether it takes lines by their bytes now. */
  readonly isSkimming?: boolean;
  /** Finds the object that the agent reads on a line that does not parse, if it reads one. */
  readonly findObject?: (line: Line) => JsonObject | undefined;
}

export type ReadPayload = (entry: LineSpan) => Promise<JsonObject>;

/** Reads the objects of entries one after the other. */
export async function readPayloads(
  entries: readonly LineSpan[],
  readPayload: ReadPayload,
): Promise<readonly JsonObject[]> {
  const payloads: JsonObject[] = [];
  for (const entry of entries) payloads.push(await readPayload(entry));
  return payloads;
}
