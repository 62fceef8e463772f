import type { Dialect, SummaryOptions } from '../../dialect/dialect.ts';
import { foldSession } from '../recognize.ts';
import type { ReadLinesOptions } from '../../jsonl/read/read-lines.ts';
import type { SessionSummary } from '../../model/summary.ts';
import { type NoSession, toNoSession } from '../no-session.ts';
import { UnreadCounter } from './unread.ts';
import type { Framing, LineFold } from '../../dialect/fold.ts';

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
  return toNoSession(folded.kind);
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
