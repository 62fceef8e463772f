import { getDialect } from '../../session/agents/index.ts';
import { orFileError } from '../../session/jsonl/files/file-error.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { gatherSessions } from '../../session/model/tree/gather.ts';
import { summarizeSession } from '../../session/read/summaries/summarize-session.ts';
import { FileError } from '../../errors.ts';
import { FilesById } from './files-by-id.ts';
import { createStartedLister } from './started-files.ts';

export interface GatherOptions {
  /** Adds what the agent has written down beside a file. */
  readonly complete: (summary: SessionSummary) => SessionSummary | Promise<SessionSummary>;
  readonly usage: boolean;
  /** Adds the sub-agents that have files like sessions, too. */
  readonly subagents: boolean;
  /** The facts of files that are read already, completed. */
  readonly known?: readonly SessionSummary[];
  readonly signal?: AbortSignal | undefined;
}

interface Reading {
  readonly files: FilesById;
  /** Undefined for a file that cannot be read: a listing does without it, too. */
  readonly read: (path: string) => Promise<SessionSummary | undefined>;
}

/** Completes the facts of one file with those of other files. @throws FileError if a directory cannot be searched. */
export type GatherFiles = (own: SessionSummary) => Promise<SessionSummary>;

/**
 * Makes the function that completes the facts of one file with those of the other files of its session, of its
 * sub-agents, and of the one that it is a fork of, as a listing of the whole store does. An earlier file of a session has
 * only what it continues from. Each directory is searched once for many sessions, and each file read once.
 */
export function createGatherer({ subagents, ...options }: GatherOptions): GatherFiles {
  const files = new FilesById();
  const reading = { files, read: createReader(options) };
  const listStarted = subagents ? createStartedLister(files) : undefined;
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
  { files, read }: Reading,
): Promise<readonly SessionSummary[]> {
  const { bases } = getDialect(agent);
  const found = new Map<string, SessionSummary>();
  if (!bases) return [];
  for (let base = relations?.base; base;) {
    const { id } = base;
    const file = files.findBase(bases, path, id);
    if (file === undefined || file === path || found.has(file)) break;
    const summary = await read(file);
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
  const ids = new Set([id, relations?.forkOf ?? id]);
  const byId = reading.files.listAround({ agent, path });
  const found = [...ids].flatMap((one) => byId.get(one) ?? []).filter((file) => !known.has(file));
  return readAll(found, reading);
}

async function readAll(
  files: readonly string[],
  { read }: Reading,
): Promise<readonly SessionSummary[]> {
  const summaries: SessionSummary[] = [];
  for (const file of files) {
    const summary = await read(file);
    if (summary) summaries.push(summary);
  }
  return summaries;
}

function createReader({
  complete,
  usage,
  known = [],
  signal,
}: Omit<GatherOptions, 'subagents'>): Reading['read'] {
  const readOnce = new Map<string, Promise<SessionSummary | undefined>>();
  const inRun = new Map(known.map((one) => [one.path, one]));
  const read = async (path: string): Promise<SessionSummary | undefined> => {
    const summary = await orFileError(() => summarizeSession(path, { usage, signal }));
    return summary instanceof FileError || 'kind' in summary ? undefined : complete(summary);
  };
  return async (path) => {
    const summary = inRun.get(path);
    if (summary) return summary;
    const found = readOnce.get(path) ?? read(path);
    readOnce.set(path, found);
    return found;
  };
}
