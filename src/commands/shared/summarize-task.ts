import type { Task } from '../../batch/task.ts';
import type { SummaryOptions } from '../../session/dialect/dialect.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { type NoSession, summarizeSession } from '../../session/read/summarize-session.ts';

/** Reads the session files at these paths for a listing. */
export const task: Task<SummaryOptions, string, SessionSummary | NoSession> = {
  name: 'summarize',
  atOnce: 1,
  start(options, signal) {
    const summarizeOptions = { ...options, signal };
    return (path) => summarizeSession(path, summarizeOptions);
  },
};
