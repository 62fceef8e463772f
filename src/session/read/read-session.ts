import type { Dialect, SummaryOptions } from '../dialect/dialect.ts';
import type { Framing, LineFold } from '../dialect/fold.ts';
import { type LinePlan, mergePlans } from '../jsonl/scanner/plan.ts';
import { foldSession } from './recognize.ts';
import type { ReadLinesOptions } from '../jsonl/read/read-lines.ts';
import type { LineContent } from '../jsonl/read/parse-line.ts';
import { toNoSessionError } from './no-session.ts';
import type { Session } from '../model/session.ts';
import { remember } from '../rules/remember.ts';
import { watchLines, withBases, type WatchOptions } from './read-bases.ts';
import type { SourceState } from '../jsonl/write/compose-file.ts';
import { createSummaryFold } from './summaries/summarize-session.ts';
import type { SessionSummary } from '../model/summary.ts';

export interface ReadSessionOptions extends ReadLinesOptions, WatchOptions {
  /**
   * Sees every parsed line on the way, for what the index does not keep. `file`: of a line that is in
   * another file than the session's own.
   */
  readonly onLine?: (
    dialect: Dialect,
    lineNumber: number,
    content: LineContent,
    file?: string,
  ) => void;
  /** Gets every other file that the session continues from, as it was read. */
  readonly onBase?: (base: SourceState) => void;
}

export interface ReadSession {
  readonly session: Session;
  readonly dialect: Dialect;
}

/**
 * Reads a session file once and keeps its index.
 * @throws FileError if it cannot be read or is not a session.
 */
export async function readSession(
  path: string,
  options: ReadSessionOptions = {},
): Promise<ReadSession> {
  const folded = await foldSession(
    path,
    (dialect, framing) => {
      const fold = dialect.reading.indexSession(framing);
      const { onLine } = options;
      if (!onLine) return fold;
      return watchLines(fold, (...line) => onLine(dialect, ...line), options);
    },
    options,
  );
  if (folded.kind === 'session') {
    const { dialect, result } = folded;
    return { session: await withBases(result, dialect, options), dialect };
  }
  throw toNoSessionError(path, folded.kind);
}

/** The result of reading a session file once: its index, and what a listing says of it. */
export interface SessionSource {
  readonly session: Session;
  readonly summary: SessionSummary;
  readonly dialect: Dialect;
}

export interface ReadSourceOptions extends ReadLinesOptions, Pick<SummaryOptions, 'sumsUsage'> {}

/**
 * Reads a session file once, for its index and its summary with usage.
 * @throws FileError if it cannot be read or is not a session.
 */
export async function readSource(
  path: string,
  options: ReadSourceOptions = {},
): Promise<SessionSource> {
  const create = (dialect: Dialect, framing: Framing) =>
    createSourceFold(dialect, framing, options);
  const folded = await foldSession(path, create, options);
  if (folded.kind === 'session') {
    const { dialect, result } = folded;
    const session = await withBases(result.session, dialect, options);
    return { ...result, session, dialect };
  }
  throw toNoSessionError(path, folded.kind);
}

/** Folds the lines of a file to its index and its summary with usage. */
export function createSourceFold(
  dialect: Dialect,
  framing: Framing,
  { sumsUsage = false }: Pick<SummaryOptions, 'sumsUsage'> = {},
): LineFold<Omit<SessionSource, 'dialect'>> {
  const index = dialect.reading.indexSession(framing);
  const summary = createSummaryFold(dialect, framing, { usage: true, sumsUsage, whole: true });
  return {
    get plan() {
      const own = index.sharedPlan ?? index.plan;
      return own && summary.plan && mergeWith(own)(summary.plan);
    },
    visit(line, content) {
      index.visit(line, content);
      summary.visit(line, content);
    },
    finish: (file) => ({ session: index.finish(file), summary: summary.finish(file) }),
  };
}

/** Merges two plans, each pair once: the scanner compares plans as objects. */
const mergeWith = remember((own: LinePlan) =>
  remember((other: LinePlan) => mergePlans([own, other])),
);
