import type { ForkDialect } from '../../../dialect/forking.ts';
import { planForks } from './plan-forks.ts';
import { planInPlace } from './plan-in-place.ts';
import { addSummary, readLeft, summarizeLeft } from './summarize-left.ts';
import { getUserText } from './user-text.ts';

/** The capability to fork sessions of pi. */
export const forking: ForkDialect = {
  plan: planForks,
  getUserText,
  summaries: { readLeft, summarizeLeft, addSummary },
  inPlace: { findObstacle: () => undefined, plan: planInPlace },
};
