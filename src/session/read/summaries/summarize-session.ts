import type { FileError } from '../../../errors.ts';
import type { Dialect, SummaryOptions } from '../../dialect/dialect.ts';
import { foldSession } from '../recognize.ts';
import type { ReadLinesOptions } from '../../jsonl/read/read-lines.ts';
import type { Problem, SessionSummary } from '../../model/summary.ts';
import { UnreadCounter } from './unread.ts';
import type { Framing, LineFold } from '../../dialect/fold.ts';

/** A file that is not a session. */
export interface NoSession {
  readonly kind: 'foreign' | 'empty';
  readonly problem: Problem;
}

export const NO_SESSION_PROBLEMS = {
  foreign: {
    code: 'not-a-session',
    message: 'is not a session file of a known agent: not touched',
  },
  empty: { code: 'file-empty', message: 'is empty' },
} as const;

/** Whether a file could not be used because there is no session in it: it is foreign, or empty. */
export function isNoSession({ code }: FileError): boolean {
  return Object.values(NO_SESSION_PROBLEMS).some((problem) => problem.code === code);
}

/**
 * Reads a session file once, and keeps what a listing needs.
 * @throws FileError if it cannot be read.
 */
export async function summarizeSession(
  path: string,
  options: SummaryOptions & ReadLinesOptions,
): Promise<SessionSummary | NoSession> {
  const folded = await foldSession(
    path,
    (dialect, framing) => createSummaryFold(dialect, framing, options),
    options,
  );
  if (folded.kind === 'session') return folded.result;
  return { kind: folded.kind, problem: NO_SESSION_PROBLEMS[folded.kind] };
}

/** Folds the lines of a file to its summary, with what of them was not understood. */
export function createSummaryFold(
  dialect: Dialect,
  framing: Framing,
  options: SummaryOptions,
): LineFold<SessionSummary> {
  return new UnreadCounter(
    dialect,
    dialect.reading.summarize(framing, options),
    options.whole ?? false,
  );
}
