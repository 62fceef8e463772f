import { formatCounted } from '../../model/text/numbers.ts';
import type { Dialect, SummaryFacts } from '../../dialect/dialect.ts';
import {
  type Line,
  type LineSkimmer,
  NO_LINES,
  type SkimmedLines,
} from '../../jsonl/read/line-splitter.ts';
import { type JsonObject, toIso, toTime } from '../../jsonl/edit/json.ts';
import { isWellFormed, type LineContent } from '../../jsonl/read/parse-line.ts';
import type { LinePlan } from '../../jsonl/scanner/plan.ts';
import type { SessionSummary, Unread } from '../../model/summary.ts';
import type { LineFold, SourceFile } from '../../dialect/fold.ts';
import type { LineReader } from '../../jsonl/scanner/reduced-lines.ts';

/** Counts what a summary leaves out, on the way to it. */
export class UnreadCounter implements LineReader {
  readonly #dialect: Dialect;
  readonly #fold: LineFold<unknown>;
  #lines = 0;
  #entries = 0;
  /** Milliseconds; 0 for none. */
  #lastTime = 0;

  constructor(dialect: Dialect, fold: LineFold<unknown>) {
    this.#dialect = dialect;
    this.#fold = fold;
  }

  get plan(): LinePlan | undefined {
    return this.#fold.plan;
  }

  skim(...slice: Parameters<LineSkimmer>): SkimmedLines {
    const taken = this.#fold.skim?.(...slice) ?? NO_LINES;
    this.#lastTime = Math.max(this.#lastTime, taken.lastTime ?? 0);
    return taken;
  }

  visit(line: Line, content: LineContent): void {
    if (isDamaged(line, content)) this.#lines += 1;
    else if (content.kind === 'object' && !this.#dialect.lines.isKnown(content.value))
      this.#entries += 1;
    if (content.kind === 'object') this.#addTime(content.value);
    this.#fold.visit(line, content);
  }

  /** Completes the facts that the fold has found in a file, and no one else has. */
  complete(facts: SummaryFacts, file: SourceFile): SessionSummary {
    const lines = this.#lines + (file.endsEarly ? 1 : 0);
    const unread = { ...facts.unread, lines, entries: this.#entries };
    const lastWritten = toIso(this.#lastTime || Number.NaN) ?? null;
    return Object.assign(facts, { unread, lastWritten });
  }

  #addTime({ timestamp }: JsonObject): void {
    const time = toTime(timestamp);
    if (isLikelyTime(time) && time > this.#lastTime) this.#lastTime = time;
  }
}

/** Times before this are slips, such as seconds instead of milliseconds: no agent is so old. */
const EARLIEST = Date.UTC(2020);
/** No calendar goes further. */
const LATEST = 8.64e15;

/** Returns whether a time, in milliseconds, can be that of a message; false for one that is not a number. */
export function isLikelyTime(time: number): boolean {
  return time >= EARLIEST && time <= LATEST;
}

interface Described {
  readonly unread: Pick<Unread, 'lines' | 'entries' | 'title' | 'otherName' | 'state' | 'start'>;
  readonly problem?: SessionSummary['problem'];
}

/** The places of facts. */
export type FactSource = 'file' | 'state' | 'header' | 'start' | 'entries';

/**
 * Returns the reason why a fact of a session is not sure, by the place that it is read from: every `file`,
 * the `state` in its agent, the `header`, the `start` in it, or all `entries`. Undefined if it is sure. The one place that decides this.
 */
export function describeUnread(
  { unread, problem }: Described,
  source: FactSource,
  trustsDamaged = false,
): string | undefined {
  if (source === 'file') return undefined;
  if (source === 'state') return unread.state === true ? OTHER_STATE : undefined;
  const isTrusted = source !== 'entries' && trustsDamaged;
  if (unread.lines > 0 && !isTrusted) return describeDamage(unread);
  if (problem && unread.lines === 0) return problem.message;
  if (source === 'start') return unread.start === true ? UNSURE_START : undefined;
  if (source !== 'entries') return undefined;
  if (unread.title === true) return 'the file with its name could not be read';
  if (unread.otherName === true) return 'its agent has a name for it that it does not show';
  return unread.entries > 0
    ? `${formatCounted(unread.entries, 'entry', 'entries')} of an unknown type`
    : undefined;
}

const UNSURE_START = 'nothing shows which of it and another session is the fork';
const OTHER_STATE = 'its agent has it as archived in one place, and as active in another';

export function describeDamage({ lines }: Pick<Unread, 'lines'>): string {
  return `${formatCounted(lines, 'line')} could not be read`;
}

/**
 * Returns the time at which a session was last active, in milliseconds, for commands that remove sessions: a
 * listing goes by what users and assistants said, but a command, a name or a compaction is a use as well. A
 * copy or a repair of the file is none, unless no line has a time that can be true.
 */
export function getActivity(summary: SessionSummary): number {
  const activity = getWritten(summary);
  return isLikelyTime(activity) ? activity : Date.parse(summary.fileModified);
}

function getWritten({ modified, listedByFile, lastWritten }: SessionSummary): number {
  if (lastWritten === null || lastWritten === modified) return Date.parse(modified);
  return Math.max(listedByFile ? 0 : Date.parse(modified), Date.parse(lastWritten));
}

/**
 * The latest moment, in milliseconds, at which a session can have been active: where a part of it is
 * not known, that is when its file was written.
 */
export function getLatest(summary: SessionSummary, activity = getActivity(summary)): number {
  const { fileModified, unread, problem } = summary;
  const isSure = unread.lines === 0 && unread.times === 0 && !problem && isLikelyTime(activity);
  return isSure ? activity : Math.max(activity, Date.parse(fileModified));
}

/**
 * Returns the latest moment at which a session can have been used, also if it was named after all lines that have a
 * time. A copy of a file has a new time, so this only keeps sessions, and orders none. `latest`: when it can have been
 * active.
 */
export function getLatestUse(summary: SessionSummary, latest: number): number {
  const { hasLaterLine, fileModified, namedAt } = summary;
  const named = [hasLaterLine ? fileModified : [], namedAt ?? []].flat();
  return Math.max(latest, ...named.map((time) => Date.parse(time)));
}

/** Returns whether a line cannot be read as it was written. A blank line holds nothing to read. */
function isDamaged(line: Line, content: LineContent): boolean {
  if (content.kind === 'object') return !isWellFormed(line, content);
  return content.kind !== 'blank';
}
