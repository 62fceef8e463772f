import { createIdleSignal } from '../jsonl/files/idle-signal.ts';
import { basename, dirname } from 'node:path';
import { FileError } from '../../errors.ts';
import type {
  ForkDialect,
  ForkPlan,
  ForkRequest,
  ForkSummaries,
  ForkWorld,
  SummarizeLeft,
} from '../dialect/forking.ts';
import type { SourceState } from '../jsonl/write/compose-file.ts';
import { composeFiles } from '../jsonl/write/compose-files.ts';
import { appendRetractably } from '../jsonl/write/append-file.ts';
import { findBelow } from '../jsonl/files/find-below.ts';
import { createFile, removeOwnFile, taken as existsError } from '../jsonl/write/create-file.ts';
import { undoAndThrow } from '../jsonl/files/release-after.ts';
import { listDirectory } from '../jsonl/files/list-directory.ts';
import type { Hooks } from '../dialect/hooks/hooks.ts';
import type { SessionRows } from '../dialect/surroundings/rows.ts';
import type { Agent } from '../model/agent.ts';
import { fileExists } from '../jsonl/read/read-lines.ts';
import { PrefixSum } from '../jsonl/read/spans/prefix-sum.ts';
import { withPayloads } from '../read/turns/payloads.ts';
import { readSession } from '../read/read-session.ts';
import type { Session } from '../model/session.ts';
import {
  type LeftBehind,
  requireSummaries,
  summarizeLeftBehind,
  toLeftBehind,
} from './left-behind.ts';
import { readUserText } from './read-user-text.ts';
import { countBytes } from '../jsonl/write/count-bytes.ts';
import { requireForking } from './require-forking.ts';

/** A session that was made from another, or would be. */
export interface Fork {
  readonly source: string;
  readonly path: string;
  readonly id: string;
  /** How many the new session has. */
  readonly entries: number;
  readonly leafId: string | null;
  /** The text of the user message that the fork was made before. */
  readonly text?: string;
  /** The summary of the branch that is left, if one was requested. */
  readonly left?: LeftBehind;
  /** Size of the new file in bytes. */
  readonly bytes: number;
  /** The number of lines of the source that could not be read, and are not in the new session. */
  readonly unreadLines: number;
}

export interface ForkOptions extends Pick<Hooks, 'beforeBranchSummary'> {
  /** Puts a summary of what is left behind at the end; undefined: none. */
  readonly summarize?: SummarizeLeft | undefined;
  readonly world: ForkWorld;
  /** Takes away what runs that were killed have left in a directory, before a file is made there. */
  readonly clear?: (directory: string) => Promise<void>;
  /**
   * Adds the rows of forks to the databases of an agent, for files beside the one at a path: all of them once
   * `finish` has succeeded, or none. Absent: forks that need rows fail.
   */
  readonly addRows?: (
    agent: Agent,
    path: string,
    rows: readonly SessionRows[],
    finish: () => Promise<void>,
  ) => Promise<void>;
  /** Finds out whether `addRows` could add the rows, and throws a FileError where it could not. Absent: not asked. */
  readonly checkRows?: (agent: Agent, path: string, rows: readonly SessionRows[]) => Promise<void>;
  /**
   * Finds a database of an agent that has rows of an id already, which the file at a path would get. Absent: not
   * looked for.
   */
  readonly findRows?: (agent: Agent, path: string, id: string) => Promise<string | undefined>;
  /** Do everything but write. */
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Makes new sessions from one; the source is only read, its bodies a chunk at a time. Each file is
 * new, whole and private, or not there at all; of several, all are made or none.
 * @throws FileError for a source or a point that cannot be forked, and a target that exists.
 */
export async function forkSession(
  path: string,
  request: ForkRequest,
  options: ForkOptions,
): Promise<readonly Fork[]> {
  const { world, dryRun = false, signal } = options;
  const sum = new PrefixSum();
  const bases: SourceState[] = [];
  const onBase = (base: SourceState) => bases.push(base);
  let unreadLines = 0;
  const onUnread = () => {
    unreadLines += 1;
  };
  const { session, dialect } = await readSession(path, { signal, sum, onBase, onUnread });
  const forking = requireForking(path, dialect);
  const summaries = requireSummaries(path, dialect, options.summarize);
  const plans = forking.plan(session, request, world);
  // This is checked before anyone is paid for a summary.
  for (const plan of plans) await assertNew(session.agent, plan, request, options);
  const finished: Finished[] = [];
  for (const plan of plans) finished.push(await finish(session, plan, summaries, options));
  const texts = await Promise.all(
    plans.map(({ message }) => readUserText(session, message, forking)),
  );
  const forks: Fork[] = [];
  try {
    for (const [index, { plan, left }] of finished.entries()) {
      const sources = [{ path: session.path, stamp: session.stamp, sum }, ...bases] as const;
      const bytes = await (dryRun
        ? countBytes(composeFiles(sources, plan.pieces))
        : writeFork(sources, plan, options));
      const made = { ...toFork(session, plan, bytes, texts[index]), unreadLines };
      forks.push(left ? { ...made, left } : made);
    }
    await keepNames(session, plans, forking, options);
  } catch (error) {
    throw dryRun ? error : await takeBack(forks, error);
  }
  return forks;
}

/** Removes the forks that were made. Returns the error to throw, which names those that remain. */
async function takeBack(forks: readonly Fork[], error: unknown): Promise<unknown> {
  const left: FileError[] = [];
  for (const { path } of forks) {
    try {
      await removeOwnFile(path);
    } catch (failure) {
      if (failure instanceof FileError) left.push(failure);
      else throw failure;
    }
  }
  const [first] = left;
  if (!first) return error;
  const cause = error instanceof Error ? error.message : String(error);
  const paths = left.map(({ path }) => path).join(', ');
  const message = `${cause}; these new sessions are whole, and could not be removed: ${paths}`;
  return new FileError(first.path, first.code, message, { cause: error });
}

interface Finished {
  readonly plan: ForkPlan;
  readonly left?: LeftBehind;
}

/**
 * Completes the plan with the summary, if one is wanted.
 * @throws FileError, `summary-failed`, if there is no good one.
 */
async function finish(
  session: Session,
  plan: ForkPlan,
  summaries: ForkSummaries | undefined,
  { summarize, beforeBranchSummary, world, signal = createIdleSignal() }: ForkOptions,
): Promise<Finished> {
  if (!plan.left) return { plan };
  const summaryOptions = { summarize, beforeBranchSummary, signal };
  const summary = await summarizeLeftBehind(session.path, plan.left, summaries, summaryOptions);
  if (!summarize || !summaries) return { plan };
  const left = toLeftBehind(plan.left, summary);
  return { plan: summary ? summaries.addSummary(plan, summary, world) : plan, left };
}

/** A session id leads to one session: it must not be there under another name. */
async function assertNew(
  agent: Agent,
  plan: ForkPlan,
  { id }: ForkRequest,
  { findRows }: ForkOptions,
): Promise<void> {
  if (id === undefined) return;
  const [taken] = plan.sameId
    ? [findBelow(plan.sameId.places, plan.sameId.isNamed)]
    : listDirectory(dirname(plan.path), `_${id}.jsonl`);
  if (taken !== undefined) {
    const message = `cannot create: ${basename(taken)} has the id ${id} already; choose another --id`;
    throw new FileError(plan.path, 'EEXIST', message);
  }
  if (await fileExists(plan.path)) throw existsError(plan.path);
  const database = await findRows?.(agent, plan.path, id);
  if (database === undefined) return;
  const message = `cannot create: ${database} has rows of the id ${id} already; choose another --id`;
  throw new FileError(plan.path, 'EEXIST', message);
}

type Sources = readonly [SourceState, ...SourceState[]];

async function writeFork(
  sources: Sources,
  { path, pieces }: ForkPlan,
  { signal, clear }: ForkOptions,
): Promise<number> {
  await clear?.(dirname(path));
  return createFile(path, composeFiles(sources, pieces), { signal });
}

/** Keeps the names of all forks where their agent does, or of none of them; a dry run only asks whether it could. */
async function keepNames(
  session: Session,
  plans: readonly ForkPlan[],
  forking: ForkDialect,
  { addRows = refuseRows, checkRows, dryRun = false }: ForkOptions,
): Promise<void> {
  const { agent, path } = session;
  const place = plans[0]?.path ?? path;
  const rows = await toRows(session, plans, forking);
  if (dryRun) {
    if (rows.length > 0) await checkRows?.(agent, place, rows);
    return;
  }
  const notes = plans.flatMap((plan) => plan.notes ?? []);
  const taken: (() => Promise<void>)[] = [];
  const append = async (): Promise<void> => {
    for (const note of notes) {
      // The last one is to be taken back first.
      taken.unshift(await appendRetractably(note.path, Buffer.from(`${note.line}\n`)));
    }
  };
  try {
    await (rows.length === 0 ? append() : addRows(agent, place, rows, append));
  } catch (error) {
    await undoAndThrow(error, ...taken);
  }
}

/** The rows of the forks whose agent keeps names in a database. */
async function toRows(
  session: Session,
  plans: readonly ForkPlan[],
  forking: ForkDialect,
): Promise<readonly SessionRows[]> {
  const { path, header } = session;
  const rows: SessionRows[] = [];
  for (const { rows: own } of plans) {
    if (!own || !header) continue;
    const text = (await readUserText(session, own.prompt, forking)) ?? '';
    const first = await withPayloads(path, (read) => read(header));
    rows.push(own.toRows(first, text));
  }
  return rows;
}

function refuseRows(_: Agent, path: string): Promise<void> {
  const message = 'its name would be in a database that coppice does not write';
  return Promise.reject(new FileError(path, 'not-supported', `${message}; fork without a name`));
}

function toFork(
  session: Session,
  plan: ForkPlan,
  bytes: number,
  text: string | undefined,
): Omit<Fork, 'unreadLines'> {
  const { path, id, entryCount: entries, leafId } = plan;
  const made = { source: session.path, path, id, entries, leafId, bytes };
  return text === undefined ? made : { ...made, text };
}
