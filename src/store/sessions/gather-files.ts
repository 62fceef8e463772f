import { getDialect } from '../../session/agents/index.ts';
import { orFileError } from '../../session/jsonl/files/file-error.ts';
import { findBelow, listBelow } from '../../session/jsonl/files/find-below.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { gatherSessions } from '../../session/model/tree/gather.ts';
import { summarizeSession } from '../../session/read/summaries/summarize-session.ts';
import { FileError } from '../../errors.ts';
import { createStartedLister } from './started-files.ts';

export interface GatherOptions {
  /** Adds what the agent has written down beside a file. */
  readonly complete: (summary: SessionSummary) => SessionSummary | Promise<SessionSummary>;
  readonly usage: boolean;
  /** Adds the sub-agents that have files like sessions, too. */
  readonly subagents: boolean;
  readonly signal?: AbortSignal | undefined;
}

type Reading = Omit<GatherOptions, 'subagents'>;

/** Completes the facts of one file with those of other files. */
export type GatherFiles = (own: SessionSummary) => Promise<SessionSummary>;

/**
 * Makes the function that completes the facts of one file with those of the other files of its session, of its
 * sub-agents, and of the one that it is a fork of, as a listing of the whole store does. An earlier file of a session has
 * only what it continues from.
 */
export function createGatherer({ subagents, ...reading }: GatherOptions): GatherFiles {
  const listStarted = subagents ? createStartedLister() : undefined;
  return async (own) => {
    if (!own.relations) return own;
    const whole = await gatherThread(own, reading);
    const started = listStarted ? await readAll(await listStarted(own), reading) : [];
    if (started.length === 0) return whole;
    const { subagents: found } = gather(own, started, { keepsSubagents: false });
    return found ? { ...whole, subagents: found } : whole;
  };
}

async function gatherThread(own: SessionSummary, reading: Reading): Promise<SessionSummary> {
  const { base, forkOf } = own.relations ?? {};
  if (base === undefined && forkOf === undefined) return gather(own, []);
  const bases = await readBases(own, reading);
  const known = new Set([own, ...bases].map(({ path }) => path));
  const whole = gather(own, [...bases, ...(await readThreads(own, known, reading))]);
  return whole.files ? whole : gather(own, bases);
}

function gather(
  own: SessionSummary,
  others: readonly SessionSummary[],
  { keepsSubagents } = { keepsSubagents: true },
): SessionSummary {
  const options = { keepsSubagents, explicit: new Set([own.path]) };
  const sessions = gatherSessions([own, ...others], options);
  return sessions.find(({ path }) => path === own.path) ?? own;
}

/** Reads the files that a file continues from. */
async function readBases(
  { agent, path, relations }: SessionSummary,
  reading: Reading,
): Promise<readonly SessionSummary[]> {
  const { bases } = getDialect(agent);
  const found = new Map<string, SessionSummary>();
  if (!bases) return [];
  for (let base = relations?.base; base;) {
    const { id, end } = base;
    const file = findBelow(bases.listPlaces(path), (name) => bases.isNamed(name, { id, end }));
    if (file === undefined || file === path || found.has(file)) break;
    const summary = await read(file, reading);
    if (!summary) break;
    found.set(file, summary);
    base = summary.relations?.base;
  }
  return [...found.values()];
}

/** Reads the other files of a session, and those of the one that it is a fork of, but for what is known. */
async function readThreads(
  { agent, path, id, relations }: SessionSummary,
  known: ReadonlySet<string>,
  reading: Reading,
): Promise<readonly SessionSummary[]> {
  const { bases, places } = getDialect(agent);
  const { spawned } = places;
  if (!bases || !spawned) return [];
  const ids = [id, ...(relations?.forkOf === undefined ? [] : [relations.forkOf])];
  const isOfOne = (name: string): boolean => ids.some((one) => spawned.isNamed(name, one));
  const files = listBelow(bases.listPlaces(path), isOfOne).filter((file) => !known.has(file));
  return readAll(files, reading);
}

async function readAll(
  files: readonly string[],
  reading: Reading,
): Promise<readonly SessionSummary[]> {
  const summaries: SessionSummary[] = [];
  for (const file of files) {
    const summary = await read(file, reading);
    if (summary) summaries.push(summary);
  }
  return summaries;
}

/** Undefined for a file that cannot be read: a listing does without it, too. */
async function read(
  path: string,
  { complete, usage, signal }: Reading,
): Promise<SessionSummary | undefined> {
  const summary = await orFileError(() => summarizeSession(path, { usage, signal }));
  return summary instanceof FileError || 'kind' in summary ? undefined : complete(summary);
}
