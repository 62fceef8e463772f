import type { ReductionDialect } from '../../../dialect/reduction.ts';
import { LEGACY_VERSION } from '../format.ts';
import { changeBlocks } from './change-blocks.ts';
import { cutting } from './cutting.ts';
import { cutOutput } from './cut-output.ts';
import { findCounts } from './find-counts.ts';
import { findCopies, findSummarized } from './replaced.ts';
import { describeTrimmed, findSuperseded, findTrimmed, trimHistory } from './superseded.ts';

/** The reducers for rollouts of Codex on whose bytes nothing else depends. */
export const reduction: ReductionDialect = {
  oldestVersion: LEGACY_VERSION,
  entryReducers: {
    summarized: findSummarized,
    copies: findCopies,
    'superseded-state': findSuperseded,
  },
  trimming: { find: findTrimmed, trim: trimHistory, describe: describeTrimmed },
  findCounts,
  cutting,
  changeBlocks,
  cutOutput,
};
