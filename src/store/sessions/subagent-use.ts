import { getDialect } from '../../session/agents/index.ts';
import type {
  SubagentDialect,
  SubagentPlace,
} from '../../session/dialect/surroundings/subagents.ts';
import { isMissing } from '../../session/jsonl/files/file-error.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { FileError } from '../../errors.ts';
import { readHead } from '../files/read-head.ts';
import { START_BYTES } from '../files/read-regular-file.ts';
import { statFile } from '../files/stat-file.ts';
import { listLogs } from './subagent-logs.ts';

/**
 * Finds when a log of the session's sub-agents was last written, if that was after `since`; 0 otherwise. Both in
 * milliseconds.
 * @throws FileError if a directory of them cannot be listed.
 */
export function findSubagentWrite(
  { agent, path }: Pick<SessionSummary, 'agent' | 'path'>,
  since: number,
): number {
  const dialect = getDialect(agent).places.subagents;
  if (!dialect) return 0;
  let latest = 0;
  for (const place of dialect.listPlaces(path)) {
    for (const log of listOnce(dialect, place)) {
      const time = statFile(log)?.mtimeMs ?? 0;
      // Few are so young that it matters which session they are of.
      if (time <= Math.max(since, latest)) continue;
      if (place.holdsOneSession || dialect.isOf(readStart(log), path)) latest = time;
    }
  }
  return latest;
}

/** The logs in the last directory that many sessions share, listed once until something in it comes or goes. */
let shared: { directory: string; mtimeMs: number; logs: readonly string[] } | undefined;

function listOnce(dialect: SubagentDialect, place: SubagentPlace): readonly string[] {
  if (place.holdsOneSession) return listLogs(dialect, place);
  const { directory } = place;
  const mtimeMs = statFile(directory)?.mtimeMs ?? 0;
  if (shared?.directory === directory && shared.mtimeMs === mtimeMs) return shared.logs;
  const logs = listLogs(dialect, place);
  shared = { directory, mtimeMs, logs };
  return logs;
}

/** Nothing of a log that is gone by now. @throws FileError if it cannot be read. */
function readStart(path: string): string {
  try {
    return readHead(path, START_BYTES);
  } catch (error) {
    if (error instanceof FileError && isMissing(error)) return '';
    throw error;
  }
}
