import type { Dialect, SummaryOptions } from '../dialect/dialect.ts';
import type { Framing } from '../dialect/fold.ts';
import { foldSession } from './recognize.ts';
import type { ReadLinesOptions } from '../jsonl/read/read-lines.ts';
import type { LineContent } from '../jsonl/read/parse-line.ts';
import { toNoSessionError } from './no-session.ts';
import type { Session } from '../model/session.ts';
import { type SeeLine, watchLines, withBases, type WatchOptions } from './read-bases.ts';
import type { SourceState } from '../jsonl/write/compose-file.ts';
import { createSourceFold, type Source } from './source-fold.ts';

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
      const see = onLine && ((...line: Parameters<SeeLine>) => onLine(dialect, ...line));
      return watchLines(fold, see, options);
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
export interface SessionSource extends Source {
  readonly dialect: Dialect;
}

export interface ReadSourceOptions extends ReadLinesOptions, Pick<SummaryOptions, 'sumsUsage'> {}

/**
 * Reads a session file once, for its index and its summary with usage.
 * @throws FileError if it cannot be read or is not a session.
 */
export async function readSource(path: string, options: ReadSourceOptions): Promise<SessionSource> {
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
