import type { Task } from '../../batch/task.ts';
import type { SummaryOptions } from '../../session/dialect/dialect.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { condenseUsage } from '../../session/model/tree/condense-usage.ts';
import { summarizeSession } from '../../session/read/summaries/summarize-session.ts';
import type { NoSession } from '../../session/read/no-session.ts';

export interface SummariesOptions extends SummaryOptions {
  /**
   * The usage to keep: of each entry, or only the sums that totals need of a session or of a fork's parent.
   */
  readonly keeps?: 'entries' | 'totals' | 'totals-of-parents' | undefined;
}

/** Reads the session files at these paths for a listing. */
export const task: Task<SummariesOptions, string, SessionSummary | NoSession> = {
  name: 'summarize',
  atOnce: 1,
  start({ keeps = 'entries', ...options }, signal) {
    const summarizeOptions = { ...options, sumsUsage: keeps === 'totals', signal };
    return async (path) => {
      const summary = await summarizeSession(path, summarizeOptions);
      if (keeps === 'entries' || 'kind' in summary) return summary;
      return condenseUsage(summary, keeps === 'totals-of-parents');
    };
  },
};
