import type { Task } from '../../batch/task.ts';
import type { SummaryOptions } from '../../session/dialect/dialect.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { condenseUsage } from '../../session/model/tree/condense-usage.ts';
import { summarizeSession } from '../../session/read/summaries/summarize-session.ts';
import type { NoSession } from '../../session/read/no-session.ts';

export interface SummariesOptions extends SummaryOptions {
  /** Whether forks name these sessions as their parents: their usage is kept by entry, not in sums. */
  readonly areParents?: boolean;
}

/** Reads the session files at these paths for a listing, with the usage that totals need. */
export const task: Task<SummariesOptions, string, SessionSummary | NoSession> = {
  name: 'summarize',
  atOnce: 1,
  start({ areParents = false, ...options }, signal) {
    const summarizeOptions = { ...options, sumsUsage: !areParents, signal };
    return async (path) => {
      const summary = await summarizeSession(path, summarizeOptions);
      return 'kind' in summary ? summary : condenseUsage(summary, areParents);
    };
  },
};
