import { basename, join, resolve } from 'node:path';
import { FileError } from '../../errors.ts';
import { getString } from '../../session/jsonl/edit/json.ts';
import { listDirectory, listLatest } from '../../session/jsonl/files/list-directory.ts';
import type { Line } from '../../session/jsonl/read/line-splitter.ts';
import { readElements } from '../../session/jsonl/read/read-elements.ts';
import { findSuperseded } from '../../session/model/tree/superseded.ts';
import { readLines } from '../../session/jsonl/read/read-lines.ts';
import { parseLine } from '../../session/jsonl/read/parse-line.ts';
import type { SummaryFacts } from '../../session/dialect/dialect.ts';
import { SessionSummarizer } from '../../session/agents/pi/index/summarize.ts';
import { readHeaderSync } from './load-session.ts';
import { orFileError, orFileErrorSync } from '../../session/jsonl/files/file-error.ts';

const ENDING = '.jsonl';
/** The ending of sessions in the oldest dialect, which is one JSON array. */
const ARRAY_ENDING = '.json';

/** A session as pi lists it; without the text of all its messages. */
export interface SessionInfo {
  path: string;
  id: string;
  cwd: string;
  name?: string;
  parentSessionPath?: string;
  created: Date;
  modified: Date;
  messageCount: number;
  firstMessage: string;
}

export type SessionListProgress = (loaded: number, total: number) => void;

export interface ListOptions {
  /** Only sessions of this working directory. */
  readonly cwd?: string | undefined;
  readonly onProgress?: SessionListProgress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Lists the sessions in some directories, latest activity first. Files that cannot be read are left
 * out.
 */
export async function listSessions(
  directories: readonly string[],
  { cwd, onProgress, signal }: ListOptions,
): Promise<SessionInfo[]> {
  const names = directories.flatMap(listIfAllowed);
  const paths = names.filter((path) => path.endsWith(ENDING) || path.endsWith(ARRAY_ENDING));
  const found: SessionInfo[] = [];
  for (const [index, path] of paths.entries()) {
    const summary = await summarizeIfSession(path, signal);
    if (summary && isOfProject(summary.cwd, cwd)) found.push(toInfo(summary));
    onProgress?.(index + 1, paths.length);
  }
  const superseded = findSuperseded(found);
  const current = found.filter(({ path }) => !superseded.has(path));
  return current.toSorted((a, b) => b.modified.getTime() - a.modified.getTime());
}

/** Lists the directories of all projects. */
export function listProjectDirectories(root: string): readonly string[] {
  return listIfAllowed(root).filter((path) => !path.endsWith(ENDING));
}

/**
 * Finds the session file that was written last, of this working directory if one is given;
 * undefined if there is none.
 */
export function findMostRecentSession(directory: string, cwd?: string): string | undefined {
  return listLatest(directory, ENDING).find((path) => {
    const header = orFileErrorSync(() => readHeaderSync(path));
    if (!header || header instanceof FileError) return false;
    return isOfProject(getString(header, 'cwd') ?? '', cwd);
  });
}

/** Returns the directory in which pi keeps the sessions of a project. */
export function toDefaultDirectory(agentDir: string, projectName: string): string {
  return join(agentDir, 'sessions', projectName);
}

function isOfProject(own: string, wanted: string | undefined): boolean {
  return wanted === undefined || (own !== '' && resolve(own) === wanted);
}

function listIfAllowed(directory: string): readonly string[] {
  const paths = orFileErrorSync(() => listDirectory(directory));
  return paths instanceof FileError ? [] : paths;
}

async function summarizeIfSession(
  path: string,
  signal: AbortSignal | undefined,
): Promise<SummaryFacts | undefined> {
  const isArray = path.endsWith(ARRAY_ENDING);
  const fold = new SessionSummarizer(isArray ? 'array' : 'lines', { usage: false });
  const visit = (line: Line): void => fold.visit(line, parseLine(line));
  const stamp = await orFileError(async () =>
    isArray ? readElements(path, visit).stamp : readLines(path, visit, { signal }),
  );
  if (stamp instanceof FileError) return undefined;
  const summary = fold.finish({ path, stamp });
  return summary.id === '' ? undefined : summary;
}

function toInfo(summary: SummaryFacts): SessionInfo {
  const { path, id, cwd, name, parentSessionPath, created, modified } = summary;
  const { messageCount, firstMessage } = summary;
  return {
    path,
    id: id || basename(path),
    cwd,
    ...(name !== null && { name }),
    ...(parentSessionPath !== null && { parentSessionPath }),
    created: new Date(created ?? Number.NaN),
    modified: new Date(modified),
    messageCount,
    firstMessage,
  };
}
