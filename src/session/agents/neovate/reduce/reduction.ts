import type { ReductionDialect } from '../../../dialect/reduction.ts';
import { changeBlocks } from './change-parts.ts';
import { cutOutput } from './cut-output.ts';
import { findAbandoned, findSummarized } from './find-removable.ts';

/** The reducers for sessions of Neovate. They hold no state that is superseded. */
export const reduction: ReductionDialect = {
  entryReducers: {
    'abandoned-branches': findAbandoned,
    summarized: findSummarized,
  },
  keys: { id: 'uuid', parentId: 'parentUuid' },
  changeBlocks,
  cutOutput,
};
