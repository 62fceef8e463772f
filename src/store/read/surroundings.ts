import { UsageError } from '../../errors.ts';
import { getDialect } from '../../session/agents/index.ts';
import type { ReadLinesOptions } from '../../session/jsonl/read/read-lines.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { readSettings } from '../settings/settings.ts';
import { createRecordsReader, type OnRecordProblem } from '../database/read-records.ts';
import { readSource, type SessionSource } from '../../session/read/read-session.ts';

/** Adds to a summary what the agent has written down beside its session files. */
export type CompleteSummary = (summary: SessionSummary) => Promise<SessionSummary>;

/** Reads each file of that kind once, however many sessions it is about. */
export function createCompleter(onProblem?: OnRecordProblem): CompleteSummary {
  const known = new Map<string, Promise<(path: string) => string | undefined>>();
  const completeByRecords = createRecordsReader(onProblem);
  return async (summary) => {
    const { surroundings, records } = getDialect(summary.agent).places;
    if (records) return completeByRecords(summary, records);
    if (!surroundings) return summary;
    const file = surroundings.findFile(summary.path);
    const finder =
      known.get(file) ?? readContent(file).then((content) => surroundings.createCwdFinder(content));
    known.set(file, finder);
    const cwd = (await finder)(summary.path);
    return cwd === undefined ? summary : { ...summary, cwd };
  };
}

export type ReadSource = (path: string, options: ReadLinesOptions) => Promise<SessionSource>;

/** `readSource`, with summaries completed. */
export function createSourceReader(): ReadSource {
  const complete = createCompleter();
  return async (path, options) => {
    const source = await readSource(path, options);
    return { ...source, summary: await complete(source.summary) };
  };
}

/** Without it, less is known of its sessions; nothing else depends on it. */
async function readContent(path: string) {
  try {
    return (await readSettings(path)) ?? {};
  } catch (error) {
    if (error instanceof UsageError) return {};
    throw error;
  }
}
