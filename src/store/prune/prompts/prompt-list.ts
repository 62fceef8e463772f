import { join } from 'node:path';
import { FileError } from '../../../errors.ts';
import { dialects, findDialect } from '../../../session/agents/index.ts';
import { type HistoryDialect } from '../../../session/dialect/surroundings/history.ts';
import type { AgentWorld } from '../../../session/dialect/surroundings/world.ts';
import { changedError, isMissing } from '../../../session/jsonl/files/file-error.ts';
import { readLines } from '../../../session/jsonl/read/read-lines.ts';
import type { Line } from '../../../session/jsonl/read/line-splitter.ts';
import type { FileStamp } from '../../../session/jsonl/files/identity/file-stamp.ts';
import { replaceFile } from '../../../session/jsonl/write/replace-file.ts';
import type { Agent } from '../../../session/model/agent.ts';
import type { Candidate } from '../../../session/prune/candidate.ts';
import { findLiveProcess } from '../../sessions/find-use.ts';
import { parsePrompt } from './merge-prompts.ts';

/** The session whose prompts are meant. */
export interface Owner extends Pick<Candidate, 'path' | 'id'> {
  readonly agent: string | null;
}

/** The terms on which a list is changed. `now` in milliseconds; `world`: it shows which clients run. */
export interface PromptTerms {
  readonly now: number;
  readonly world: AgentWorld;
}

export interface Place {
  readonly agent: Agent;
  readonly history: HistoryDialect;
  /** The path of the list. */
  readonly file: string;
  /** The path of one of its sessions, by which running clients are found. */
  readonly session: string;
}

export function findPlace({ agent, path }: Owner): Place | undefined {
  const dialect = findDialect(agent);
  const file = dialect?.history?.findFile(path);
  return dialect?.history && file !== undefined
    ? { agent: dialect.agent, history: dialect.history, file, session: path }
    : undefined;
}

/** The lists of a store, of whichever agent. */
export function listPlaces(store: string): readonly Place[] {
  return dialects.flatMap(({ agent, history }) => {
    const file = history?.findFileOfStore(store);
    const session = join(store, '-', 'x.jsonl');
    return history && file !== undefined ? [{ agent, history, file, session }] : [];
  });
}

/** @throws FileError, `in-use` where a process of the agent may be about to write to the list. */
export function requireUnused({ agent, session, file, history }: Place, world: AgentWorld): void {
  const live = findLiveProcess(agent, session, world, history.listSharers(file, world));
  if (!live) return;
  const message =
    `can be changed only while no agent runs, but process ${live.pid} has ${live.home} open; end it, ` +
    'or leave out --history';
  throw new FileError(file, 'in-use', message);
}

/** Returns whether an agent keeps such a list. */
export function hasHistory(agent: string | null): boolean {
  return findDialect(agent)?.history !== undefined;
}

/** Reads the lines that a list has of sessions, by their id. */
export async function readPrompts(
  { file, history }: Place,
  owners: readonly Owner[],
): Promise<ReadonlyMap<string, readonly Buffer[]>> {
  const lines = new Map(owners.map(({ id }) => [id, [] as Buffer[]]));
  if (owners.length === 0) return lines;
  await readIfThere(file, (line) => {
    const id = getOwner(line, history);
    if (id !== undefined) lines.get(id)?.push(Buffer.concat([line.bytes, Buffer.from('\n')]));
  });
  return lines;
}

/** How often a list is changed, because another run has changed it meanwhile. */
const MAX_TRIES = 20;

/** A number of lines for each session, by its id. */
type Counts = ReadonlyMap<string, number>;

/**
 * Removes that many lines of each session from a list, the first ones, which are kept elsewhere.
 * @throws FileError, `in-use` where a process of the agent may be about to write to the list.
 */
export async function takeOut(list: Place, counts: Counts, world: AgentWorld): Promise<void> {
  const { file, history } = list;
  if (counts.size === 0) return;
  const before = await countLines(list);
  const rest = new Map(
    [...counts].map(([id, count]) => [id, Math.max(0, (before.counts.get(id) ?? 0) - count)]),
  );
  // The lines are counted again after each change: another run may have put its own list in the place of ours.
  let now = before;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const excess = new Map([...rest].map(([id, count]) => [id, (now.counts.get(id) ?? 0) - count]));
    const { stamp } = now;
    if (!stamp || ![...excess.values()].some((count) => count > 0)) return;
    requireUnused(list, world);
    try {
      await replaceFile(file, (line) => dropCounted(line, history, excess), { planned: stamp });
    } catch (error) {
      if (!(error instanceof FileError) || error.code !== 'ECHANGED') throw error;
    }
    now = await countLines(list);
  }
  throw changedError(file);
}

async function countLines({ file, history }: Place) {
  const counts = new Map<string, number>();
  const stamp = await readIfThere(file, (line) => {
    const id = getOwner(line, history);
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  });
  return { stamp, counts };
}

/** Undefined where there is no list. @throws FileError if it cannot be read. */
async function readIfThere(
  file: string,
  visit: (line: Line) => void,
): Promise<FileStamp | undefined> {
  try {
    return await readLines(file, visit);
  } catch (error) {
    if (error instanceof FileError && isMissing(error)) return undefined;
    throw error;
  }
}

function dropCounted(
  line: Line,
  history: HistoryDialect,
  excess: Map<string, number>,
): readonly Buffer[] | undefined {
  const id = getOwner(line, history);
  const count = id === undefined ? 0 : (excess.get(id) ?? 0);
  if (id === undefined || count <= 0) return undefined;
  excess.set(id, count - 1);
  return [];
}

/** The id of the session that a line of a list is of. */
function getOwner(line: Line, history: HistoryDialect): string | undefined {
  const value = parsePrompt(line.bytes);
  return value && history.getSessionId(value);
}
