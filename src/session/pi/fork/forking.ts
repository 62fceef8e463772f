import type { ForkDialect } from '../../fork.ts';
import { planForks } from './plan-forks.ts';
import { addSummary, summarizeLeft } from './summarize-left.ts';
import { getUserText } from './user-text.ts';

/** Until here, the agent rewrote old versions in place, and did not only append to them. */
const APPEND_ONLY_SINCE = 3;

/** How sessions of pi are forked. */
export const forking: ForkDialect = {
  plan: planForks,
  getUserText,
  isAppendOnly: ({ formatVersion }) => formatVersion >= APPEND_ONLY_SINCE,
  summaries: { summarizeLeft, addSummary },
};
