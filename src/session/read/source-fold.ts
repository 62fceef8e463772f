import type { Dialect, SummaryOptions } from '../dialect/dialect.ts';
import type { Framing, IndexFold, LineFold } from '../dialect/fold.ts';
import { type LineSkimmer, NO_LINES, type SkimmedLines } from '../jsonl/read/line-splitter.ts';
import { parseLine } from '../jsonl/read/parse-line.ts';
import { type LinePlan, mergePlans } from '../jsonl/scanner/plan.ts';
import type { Session } from '../model/session.ts';
import type { SessionSummary } from '../model/summary.ts';
import { remember } from '../rules/remember.ts';
import { skimInto } from './recognize.ts';
import { createSummaryFold } from './summaries/summarize-session.ts';

const LF = 0x0a;

/** The index of a session file, and what a listing says of it. */
export interface Source {
  readonly session: Session;
  readonly summary: SessionSummary;
}

/**
 * Folds the lines of a file to its index and its summary with usage. Lines that the index takes by their bytes have
 * been checked in whole, so the summary takes them by their ends.
 */
export function createSourceFold(
  dialect: Dialect,
  framing: Framing,
  { sumsUsage = false }: Pick<SummaryOptions, 'sumsUsage'>,
): LineFold<Source> {
  const index = dialect.reading.indexSession(framing);
  const whole = index.skim === undefined;
  const summary = createSummaryFold(dialect, framing, { usage: true, sumsUsage, whole });
  return {
    get plan() {
      if (index.isSkimming) return undefined;
      const own = index.sharedPlan ?? index.plan;
      return own && summary.plan && mergeWith(own)(summary.plan);
    },
    skim: (...slice) => skimBoth(index, summary, ...slice),
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

function skimBoth(
  index: IndexFold,
  summary: LineFold<unknown>,
  ...[chunk, start, number, offset]: Parameters<LineSkimmer>
): SkimmedLines {
  let [lines, bytes] = [0, 0];
  if (!index.isSkimming) return NO_LINES;
  for (;;) {
    const slice = [start + bytes, number + lines, offset + bytes] as const;
    const taken = index.skim?.(chunk, ...slice) ?? NO_LINES;
    // The index may learn from the next line, and the scanner has looked at nothing else since.
    if (taken.lines === 0) return { lines, bytes };
    foldLines(summary, chunk.subarray(0, start + bytes + taken.bytes), ...slice);
    lines += taken.lines;
    bytes += taken.bytes;
  }
}

/** Has a fold take or visit all lines of a chunk from `chunk[start]` on. The last ends with the chunk. */
function foldLines(
  fold: LineFold<unknown>,
  ...[chunk, start, number, offset]: Parameters<LineSkimmer>
): void {
  let at = start;
  for (let line = number; at < chunk.length; line += 1) {
    const taken = skimInto(fold, chunk, at, line, offset + at - start);
    at += taken.bytes;
    line += taken.lines;
    if (at === chunk.length) return;
    const end = chunk.indexOf(LF, at);
    const bytes = chunk.subarray(at, end);
    const place = { number: line, offset: offset + at - start, length: bytes.length };
    const read = { ...place, bytes, terminated: true, oversized: false };
    fold.visit(read, parseLine(read));
    at = end + 1;
  }
}
