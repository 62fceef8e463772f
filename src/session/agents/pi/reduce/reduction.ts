import type { ReductionDialect } from '../../../dialect/reduction.ts';
import { findAbandoned } from './abandoned-branches.ts';
import { changeBlocks } from './change-blocks.ts';
import { cutOutput } from './cut-output.ts';
import { findSummarized } from './summarized.ts';
import { findSuperseded } from './superseded-state.ts';

/** The reducers for sessions of pi. */
export const reduction: ReductionDialect = {
  entryReducers: {
    'abandoned-branches': findAbandoned,
    summarized: findSummarized,
    'superseded-state': findSuperseded,
  },
  keys: { id: 'id', parentId: 'parentId' },
  changeBlocks,
  cutOutput,
};
