import { basename, dirname } from 'node:path';
import { FileError } from '../../errors.ts';
import { getDialect } from '../../session/agents/index.ts';
import type { Dialect } from '../../session/dialect/dialect.ts';
import { readLines } from '../../session/jsonl/read/read-lines.ts';
import type { Agent } from '../../session/model/agent.ts';
import { getFolderName } from '../../session/model/sidecar.ts';
import { orFileError } from '../../session/jsonl/files/file-error.ts';
import { listLogs } from './subagent-logs.ts';

/** The log of a sub-agent that is beside sessions. */
export interface SharedLog {
  readonly name: string;
  /** The paths of the sessions that have lines in it. */
  readonly sessions: readonly string[];
}

/**
 * Finds the sessions that cannot leave their directory, since one that does not has lines in the same log beside
 * them. `moving`: the paths of those that would leave. Returns the reasons, by path.
 */
export function findTied(
  logs: readonly SharedLog[],
  moving: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const tied = new Map<string, string>();
  const leaves = (path: string): boolean => moving.has(path) && !tied.has(path);
  for (let before = -1; before < tied.size;) {
    before = tied.size;
    for (const { name, sessions } of logs) {
      const left = sessions.find((path) => !leaves(path));
      if (left === undefined) continue;
      const reason = `${basename(left)} does not move, and has lines in ${name}, too`;
      for (const path of sessions.filter(leaves)) tied.set(path, reason);
    }
  }
  return tied;
}

/**
 * Finds the logs in which several sessions have lines: a sub-agent that a fork has resumed goes on in the file of the
 * session that started it. `agents`: of all sessions, by path. `moving`: the paths of those that may leave.
 */
export async function findSharedLogs(
  agents: ReadonlyMap<string, Agent>,
  moving: ReadonlySet<string>,
): Promise<readonly SharedLog[]> {
  const found: SharedLog[] = [];
  const seen = new Set<string>();
  for (const path of moving) {
    const agent = agents.get(path);
    const dialect = agent && getDialect(agent);
    const { subagents } = dialect?.places ?? {};
    for (const place of subagents?.listPlaces(path) ?? []) {
      if (place.holdsOneSession || seen.has(place.directory) || !subagents || !dialect) continue;
      seen.add(place.directory);
      const beside = [...agents.keys()].filter((one) => dirname(one) === place.directory);
      const logs = await orFileError(async () => {
        const files = listLogs(subagents, place);
        return Promise.all(files.map((log) => readLog(log, beside, dialect)));
      });
      // The move of each session beside it fails then, for the same reason.
      if (logs instanceof FileError) continue;
      found.push(...logs.filter(({ sessions }) => sessions.length > 1));
    }
  }
  return found;
}

async function readLog(
  log: string,
  sessions: readonly string[],
  { places: { subagents }, sidecars }: Dialect,
): Promise<SharedLog> {
  const name = basename(log);
  const listIds = sidecars?.orphans?.listIds;
  if (!subagents || !listIds) return { name, sessions: [] };
  const byId = new Map(sessions.map((path) => [getFolderName(path)?.toLowerCase(), path]));
  const found = new Set<string>();
  await readLines(log, ({ bytes }) => {
    const text = bytes.toString();
    for (const id of listIds(text)) {
      const path = byId.get(id);
      if (path !== undefined && !found.has(path) && subagents.isOf(text, path)) found.add(path);
    }
  });
  return { name, sessions: [...found] };
}
