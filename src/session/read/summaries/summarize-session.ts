import type { Dialect, SummaryOptions } from '../../dialect/dialect.ts';
import { type FoldResult, foldSession } from '../recognize.ts';
import { type ReadLinesOptions, readLines } from '../../jsonl/read/read-lines.ts';
import type { SessionSummary } from '../../model/summary.ts';
import { type NoSession, toNoSession } from '../no-session.ts';
import { UnreadCounter } from './unread.ts';
import type { Framing, LineFold, SourceFile } from '../../dialect/fold.ts';
import type { SubagentDialect, SubagentFacts } from '../../dialect/surroundings/subagents.ts';
import type { LineSkimmer } from '../../jsonl/read/line-splitter.ts';
import { parseLine } from '../../jsonl/read/parse-line.ts';
import { visitReduced } from '../../jsonl/scanner/reduced-lines.ts';

type Options = SummaryOptions & ReadLinesOptions;

/**
 * Reads a session file, and keeps what a listing needs: once, or a second time if the dialect finds
 * something unusual in it.
 * @throws FileError if it cannot be read.
 */
export async function summarizeSession(
  path: string,
  options: Options,
): Promise<SessionSummary | NoSession> {
  const isPlain = options.whole !== true && options.sum === undefined;
  const folded = isPlain ? await foldPlain(path, options) : await foldWhole(path, options);
  if (folded.kind !== 'session') return toNoSession(folded.kind);
  if (folded.result) return folded.result;
  return summarizeSession(path, { ...options, whole: true });
}

/** Folds the lines of a file to its summary, with what of them was not understood. */
export function createSummaryFold(
  dialect: Dialect,
  framing: Framing,
  options: SummaryOptions,
): LineFold<SessionSummary> {
  const fold = dialect.reading.summarize(framing, options);
  const counter = new UnreadCounter(dialect, fold);
  return toFold(counter, (file) => counter.complete(fold.finish(file), file));
}

function foldWhole(path: string, options: Options): Promise<FoldResult<SessionSummary>> {
  const create = (dialect: Dialect, framing: Framing): LineFold<SessionSummary> =>
    createSummaryFold(dialect, framing, options);
  return foldSession(path, create, options);
}

/** The summary is undefined where the file has to be read in another way. */
function foldPlain(
  path: string,
  options: Options,
): Promise<FoldResult<SessionSummary | undefined>> {
  let isRefused = (): boolean => false;
  const create = (dialect: Dialect, framing: Framing): LineFold<SessionSummary | undefined> => {
    const fold = framing === 'lines' ? dialect.reading.summarizePlain?.(options) : undefined;
    if (!fold) return createSummaryFold(dialect, framing, options);
    isRefused = () => fold.isRefused;
    const counter = new UnreadCounter(dialect, fold);
    return toFold(counter, (file) => {
      const facts = fold.finish(file);
      return facts && counter.complete(facts, file);
    });
  };
  const isDone = (): boolean => isRefused() || options.isDone?.() === true;
  return foldSession(path, create, { ...options, isDone });
}

function toFold<T>(counter: UnreadCounter, finish: (file: SourceFile) => T): LineFold<T> {
  return {
    get plan() {
      return counter.plan;
    },
    skim: (...slice) => counter.skim(...slice),
    visit: (line, content) => counter.visit(line, content),
    finish,
  };
}

/**
 * Reads the file of a sub-agent once, and keeps what a listing needs.
 * @throws FileError if it cannot be read.
 */
export async function summarizeSubagent(
  path: string,
  dialect: SubagentDialect,
  options: { readonly usage: boolean } & Pick<ReadLinesOptions, 'signal'>,
): Promise<SubagentFacts> {
  const fold = dialect.createFold(options);
  const visit: Parameters<typeof readLines>[1] = (line) => fold.visit(line, parseLine(line));
  const skim: LineSkimmer = (...slice) => visitReduced(fold, ...slice);
  const stamp = await readLines(path, visit, { signal: options.signal, skim });
  return fold.finish({ path, stamp });
}
