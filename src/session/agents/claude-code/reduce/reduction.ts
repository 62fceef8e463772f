import type { ReductionDialect } from '../../../dialect/reduction.ts';
import { getWrittenParent } from '../entry/to-entry.ts';
import { MAX_LOADED_BYTES } from '../index/tree/place-nodes.ts';
import { findAbandoned } from './abandoned-branches.ts';
import { changeBlocks } from './change-blocks.ts';
import { findCopies } from './copies.ts';
import { cutOutput } from './cut-output.ts';
import { findHarm } from './find-harm.ts';
import { findSummarized } from './summarized.ts';
import { findSuperseded } from './superseded-state.ts';

/** The reducers for sessions of Claude Code. */
export const reduction: ReductionDialect = {
  entryReducers: {
    'abandoned-branches': findAbandoned,
    summarized: findSummarized,
    copies: findCopies,
    'superseded-state': findSuperseded,
  },
  keys: { id: 'uuid', parentId: 'parentUuid' },
  getPointerKey: ({ type }) =>
    type === 'last-prompt' || type === 'summary' ? 'leafUuid' : undefined,
  getWrittenParent,
  findHarm,
  maxWholeBytes: MAX_LOADED_BYTES,
  changeBlocks,
  cutOutput,
};
