import { getDialect } from '../../session/agents/index.ts';
import { orFileError } from '../../session/jsonl/files/file-error.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { groupBy } from '../../session/model/tree/group-by.ts';
import { createChooser } from '../../session/model/tree/parents.ts';
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
  readonly known: KnownFiles;
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
  const known = new KnownFiles(options.known);
  const reading = { files, known, read: createReader(known, options) };
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
  const whole = gather(own, [...bases, ...(await readThreads(own, bases, reading))]);
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
  { files, known, read }: Reading,
): Promise<readonly SessionSummary[]> {
  const { bases } = getDialect(agent);
  const found = new Map<string, SessionSummary>();
  if (!bases) return [];
  for (let base = relations?.base; base;) {
    const { id } = base;
    const file = files.findBase(bases, path, id) ?? known.findFile(id, path);
    if (file === undefined || file === path || found.has(file)) break;
    const summary = await read(file);
    if (!summary) break;
    found.set(file, summary);
    base = summary.relations?.base;
  }
  return [...found.values()];
}

/** Reads the other files of a session, and those of the one that it is a fork of: first those around it. */
async function readThreads(
  own: SessionSummary,
  bases: readonly SessionSummary[],
  reading: Reading,
): Promise<readonly SessionSummary[]> {
  const { agent, path, id, relations } = own;
  const read = new Set([own, ...bases].map((one) => one.path));
  const ids = new Set([id, relations?.forkOf ?? id]);
  const byId = reading.files.listAround({ agent, path });
  const files = [...ids].flatMap((one) => byId.get(one) ?? []).filter((file) => !read.has(file));
  const around = await readAll(files, reading);
  const seen = new Set([own, ...bases, ...around].map((one) => one.relations?.fileId));
  const elsewhere = [...ids].flatMap((one) => reading.known.listOf(one));
  return [...around, ...elsewhere.filter((one) => !seen.has(one.relations?.fileId))];
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

/** Files that are read already. */
class KnownFiles {
  readonly #byPath: ReadonlyMap<string, SessionSummary>;
  readonly #byFileId: ReadonlyMap<string, readonly SessionSummary[]>;
  readonly #byId: ReadonlyMap<string, readonly SessionSummary[]>;

  constructor(known: readonly SessionSummary[] = []) {
    const related = known.filter(({ relations }) => relations);
    this.#byPath = new Map(related.map((one) => [one.path, one]));
    this.#byFileId = groupBy(related, ({ relations }) => relations?.fileId);
    this.#byId = groupBy(related, ({ id }) => id);
  }

  get(path: string): SessionSummary | undefined {
    return this.#byPath.get(path);
  }

  /** Finds the file of an id that is the nearest to a path. */
  findFile(fileId: string, path: string): string | undefined {
    return createChooser(this.#byFileId.get(fileId) ?? [])(path)?.path;
  }

  /** Lists the files of the session of an id. */
  listOf(id: string): readonly SessionSummary[] {
    return this.#byId.get(id) ?? [];
  }
}

function createReader(
  known: KnownFiles,
  { complete, usage, signal }: Pick<GatherOptions, 'complete' | 'usage' | 'signal'>,
): Reading['read'] {
  const readOnce = new Map<string, Promise<SessionSummary | undefined>>();
  const read = async (path: string): Promise<SessionSummary | undefined> => {
    const summary = await orFileError(() => summarizeSession(path, { usage, signal }));
    return summary instanceof FileError || 'kind' in summary ? undefined : complete(summary);
  };
  return async (path) => {
    const summary = known.get(path);
    if (summary) return summary;
    const found = readOnce.get(path) ?? read(path);
    readOnce.set(path, found);
    return found;
  };
}
