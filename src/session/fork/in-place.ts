import { type Action, type ActionResult, orSkip, toUnchanged } from '../model/action.ts';
import { FileError } from '../../errors.ts';
import type { Agent } from '../model/agent.ts';
import { getDialect } from '../agents/index.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type {
  ForkWorld,
  InPlaceChange,
  InPlacePlan,
  InPlaceRequest,
  SummarizeLeft,
} from '../dialect/forking.ts';
import type { LeftSummary } from '../dialect/hooks/tree-hooks.ts';
import type { Hooks } from '../dialect/hooks/hooks.ts';
import { appendLines, countAppended } from '../jsonl/write/append-file.ts';
import { openSpans } from '../jsonl/read/spans/read-spans.ts';
import { planNote } from '../jsonl/write/change-note.ts';
import { replaceFile } from '../jsonl/write/replace-file.ts';
import { measureTransformed } from '../jsonl/write/transform-file.ts';
import { parseStoredLine } from '../read/turns/payloads.ts';
import { readSession } from '../read/read-session.ts';
import type { Session } from '../model/session.ts';
import {
  type LeftBehind,
  requireSummaries,
  summarizeLeftBehind,
  toLeftBehind,
  toLeftReason,
} from './left-behind.ts';
import { readUserText } from './read-user-text.ts';
import { describeUnforkable } from './require-forking.ts';

/** The outcome for one session that is, or would be, changed in its own file. */
export interface InPlaceOutcome extends ActionResult {
  readonly action: Extract<Action, 'move' | 'label' | 'unchanged' | 'skip' | 'fail'>;
  /** The entry that the session continues from; null: before the first. Where the leaf moves. */
  readonly targetId?: string | null;
  /** The text of the user message that the leaf moves before. */
  readonly text?: string;
  /** The summary of the branch that is left, if one was requested. */
  readonly left?: LeftBehind;
}

export interface InPlaceOptions extends Pick<Hooks, 'beforeBranchSummary'> {
  readonly apply: boolean;
  /** Appends a summary of what the move leaves behind; undefined: none. */
  readonly summarize?: SummarizeLeft | undefined;
  readonly world: ForkWorld;
  readonly signal: AbortSignal;
}

/** Returns the reason why sessions of an agent cannot hold the requested change. */
export function findInPlaceObstacle(agent: Agent, request: InPlaceRequest): string | undefined {
  const inPlace = getDialect(agent).forking?.inPlace ?? describeUnforkable(agent);
  return typeof inPlace === 'string' ? inPlace : inPlace.findObstacle(request);
}

/**
 * Moves the current leaf of a session inside its file, names it, and sets labels, or says what it
 * would do. Writes all of it at once, or nothing: also where the file has changed since it was read.
 * @throws FileError if the file cannot be read or written, or the request cannot be met.
 */
export async function changeInPlace(
  path: string,
  request: InPlaceRequest,
  options: InPlaceOptions,
): Promise<InPlaceOutcome> {
  const { session, dialect } = await readSession(path, { signal: options.signal });
  const own = { path, size: session.stamp.size };
  const inPlace = dialect.forking?.inPlace;
  const obstacle = findInPlaceObstacle(dialect.agent, request);
  if (typeof inPlace !== 'object' || obstacle !== undefined) {
    throw new FileError(path, 'not-supported', obstacle ?? 'cannot be changed in place');
  }
  const plan = inPlace.plan(session, request, options.world);
  const { changes, unchanged } = plan;
  const changeNote = planNote(plan.note, options.signal);
  if (changes.length === 0 && !changeNote) {
    return toUnchanged(
      own,
      'unchanged',
      unchanged.map((what) => `${what} already`),
    );
  }
  return orSkip(
    () => makeChange(session, dialect, plan, options, changeNote),
    (reason) => toUnchanged(own, 'skip', [reason]),
  );
}

async function makeChange(
  session: Session,
  dialect: Dialect,
  plan: InPlacePlan,
  options: InPlaceOptions,
  changeNote: (() => Promise<unknown>) | undefined,
): Promise<InPlaceOutcome> {
  const { move } = plan;
  const changes = plan.changes.length > 0 ? plan.changes : plan.unchanged;
  const left = await summarize(session, dialect, plan, options);
  const text = await readUserText(session, move?.message, dialect.forking);
  const planned = await toChange(session, plan, left?.summary);
  options.signal.throwIfAborted();
  const { bytesAfter, notices } = await write(session, planned, options);
  // The next run makes up for one that is killed before this.
  if (options.apply) await changeNote?.();
  return {
    path: session.path,
    action: move ? 'move' : 'label',
    reasons: [...changes, ...(left ? [toLeftReason(left.behind)] : []), ...notices],
    ...(move && { targetId: move.target?.id ?? null }),
    ...(text !== undefined && { text }),
    ...(left && { left: left.behind }),
    bytesBefore: session.stamp.size,
    bytesAfter,
  };
}

async function summarize(
  session: Session,
  dialect: Dialect,
  { move }: InPlacePlan,
  { summarize: asked, beforeBranchSummary, signal }: InPlaceOptions,
): Promise<{ summary: LeftSummary | undefined; behind: LeftBehind } | undefined> {
  const summaries = requireSummaries(session.path, dialect, asked);
  if (!move) return undefined;
  const summaryOptions = { summarize: asked, beforeBranchSummary, signal };
  const summary = await summarizeLeftBehind(session.path, move.left, summaries, summaryOptions);
  if (!asked || !summaries) return undefined;
  return { summary, behind: toLeftBehind(move.left, summary) };
}

async function toChange(
  { path }: Session,
  plan: InPlacePlan,
  summary: LeftSummary | undefined,
): Promise<InPlaceChange> {
  const spans = openSpans(path);
  try {
    return await plan.toChange(summary, (at) =>
      spans.read(at, (bytes) => {
        parseStoredLine(bytes, at, path);
        return Buffer.from(bytes);
      }),
    );
  } finally {
    spans.close();
  }
}

interface Written {
  readonly bytesAfter: number;
  /** Notices about the new file for the user. */
  readonly notices: readonly string[];
}

async function write(
  { path, stamp }: Session,
  change: InPlaceChange,
  { apply, signal }: InPlaceOptions,
): Promise<Written> {
  if (change.kind === 'append') {
    const lines = change.entries.map((entry) => Buffer.from(`${JSON.stringify(entry)}\n`));
    const added = await countAppended(path, lines);
    if (apply && lines.length > 0) await appendLines(path, lines, { planned: stamp });
    return { bytesAfter: stamp.size + added, notices: [] };
  }
  const options = { planned: stamp, signal };
  if (apply) return replaceFile(path, change.transform, options);
  return { bytesAfter: await measureTransformed(path, change.transform, options), notices: [] };
}
