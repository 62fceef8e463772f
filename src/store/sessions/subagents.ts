import { FileError } from '../../errors.ts';
import { getDialect } from '../../session/agents/index.ts';
import type { SubagentDialect } from '../../session/dialect/surroundings/subagents.ts';
import {
  getString,
  type JsonObject,
  parseJsonObject,
  toIso,
  toTime,
} from '../../session/jsonl/edit/json.ts';
import { isMissing, isReadFailure } from '../../session/jsonl/files/file-error.ts';
import type { ReadLinesOptions } from '../../session/jsonl/read/read-lines.ts';
import {
  listCwds,
  listOtherCwds,
  type SessionSummary,
  type Subagent,
} from '../../session/model/summary.ts';
import { byStart } from '../../session/model/tree/by-start.ts';
import { isLikelyTime } from '../../session/read/summaries/unread.ts';
import { NamesBeside } from './names-beside.ts';
import { readEnd } from '../files/read-regular-file.ts';
import { statFile } from '../files/stat-file.ts';
import { readNote } from './read-note.ts';
import { orReport, SubagentLogs, type TakeProblem } from './subagent-logs.ts';
import { summarizeSubagent } from '../../session/read/summaries/summarize-session.ts';

export interface SubagentOptions extends Pick<ReadLinesOptions, 'signal'> {
  readonly usage: boolean;
  /** Takes what could not be read, and is left out; thrown unless given. */
  readonly onProblem?: TakeProblem;
}

export interface LastLineOptions {
  /** Reads the logs of sub-agents from end to end, and not only their last lines. */
  readonly whole?: boolean;
  /** Throws for a log that the system could not read: it may be younger, or of another directory. */
  readonly sure?: boolean;
}

/** Adds to a summary the sub-agents of its session, oldest first. */
export type AddSubagents = (summary: SessionSummary) => Promise<SessionSummary>;

/**
 * Looks at each directory once. @throws FileError for what cannot be read, unless the options take that.
 */
export function createSubagentReader(options: SubagentOptions): AddSubagents {
  const { onProblem } = options;
  const logs = new SubagentLogs(new NamesBeside(), onProblem);
  return async (summary) => {
    const dialect = getDialect(summary.agent).places.subagents;
    if (!dialect) return summary;
    const found: Subagent[] = [];
    for (const path of await logs.find(summary.path, dialect)) {
      const subagent = await orReport(onProblem, undefined, () =>
        readSubagent(path, dialect, options),
      );
      if (subagent) found.push(subagent);
    }
    if (found.length === 0) return summary;
    return { ...summary, subagents: found.toSorted(byStart) };
  };
}

/**
 * Makes a function that completes a summary from the logs of its sub-agents: the time of their last line, which counts
 * as a use of the session, and their working directories. Reads the end of each log; with `whole`, every line for the
 * directories. A log whose end cannot be read counts as used when its file was last written.
 * @throws FileError, if it is to be `sure`, where the system could not read a log or a directory of them.
 */
export function createLastLineReader(
  { whole, sure }: LastLineOptions,
  names: NamesBeside,
): AddSubagents {
  const onProblem = (error: FileError): void => {
    if (sure && isReadFailure(error) && !isMissing(error)) throw error;
  };
  const logs = new SubagentLogs(names, onProblem);
  return async (summary) => {
    const dialect = getDialect(summary.agent).places.subagents;
    if (!dialect) return summary;
    const paths = await logs.find(summary.path, dialect);
    if (paths.length === 0) return summary;
    const { cwd, otherCwds = [] } = summary;
    const cwds = new Set(otherCwds);
    let last = Date.parse(summary.lastWritten ?? '') || 0;
    for (const path of paths) {
      const lines = toObjects(await orReport(onProblem, '', () => readEnd(path)));
      const times = lines.map(({ timestamp }) => toTime(timestamp));
      last = Math.max(last, times.findLast(isLikelyTime) ?? statFile(path)?.mtimeMs ?? 0);
      for (const line of lines) cwds.add(getString(line, 'cwd') ?? cwd);
      if (!whole) continue;
      const directories = await orReport(onProblem, [], () => listDirectories(path, dialect));
      for (const one of directories) cwds.add(one);
    }
    return {
      ...summary,
      lastWritten: toIso(last || Number.NaN) ?? null,
      ...listOtherCwds(cwd, cwds),
    };
  };
}

/** Lists the directories that all lines of a log name. */
async function listDirectories(path: string, dialect: SubagentDialect): Promise<readonly string[]> {
  return listCwds(await summarizeSubagent(path, dialect, { usage: false }));
}

/**
 * Parses the lines at the end of a file: the first is cut off, unless the file begins with it, perhaps behind a mark; and
 * a client may be writing the last.
 */
function toObjects(end: string): readonly JsonObject[] {
  return end
    .trimStart()
    .split('\n')
    .flatMap((line): readonly JsonObject[] => {
      const value = parseJsonObject(line);
      return value ? [value] : [];
    });
}

/** Sessions, each with its sub-agents behind it as if these were sessions. */
export async function withSubagents(
  sessions: readonly SessionSummary[],
  options: SubagentOptions,
): Promise<readonly SessionSummary[]> {
  const add = createSubagentReader(options);
  const all: SessionSummary[] = [];
  for (const session of sessions) {
    const { subagents = [] } = await add(session);
    all.push(session, ...subagents.map((one) => toSession(one, session)));
  }
  return all;
}

/** Completes the facts of a sub-agent with those of its session. */
function toSession(
  { type, description, callId: _call, ...facts }: Subagent,
  session: SessionSummary,
): SessionSummary {
  const { subagents: _others, usage: _usage, entryUsages: _usages, ...shared } = session;
  const { entrypoint: _start, packedUsages: _packed, ...rest } = shared;
  return {
    ...rest,
    ...facts,
    name: null,
    firstMessage: description ?? type ?? facts.id,
    source: 'subagent',
    fileModified: facts.modified,
    parentSessionPath: null,
  };
}

async function readSubagent(
  path: string,
  dialect: SubagentDialect,
  options: SubagentOptions,
): Promise<Subagent | undefined> {
  try {
    const summary = await summarizeSubagent(path, dialect, options);
    return dialect.toSubagent(summary, (await readNote(dialect.findNote(path))) ?? {});
  } catch (error) {
    // The client, or another run, has removed it since.
    if (error instanceof FileError && isMissing(error)) return undefined;
    throw error;
  }
}
