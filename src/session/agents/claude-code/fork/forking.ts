import type { ForkDialect } from '../../../dialect/forking.ts';
import { toTyped } from '../entry/user-text.ts';
import { createBeforeTest } from '../../../model/tree/entry-before.ts';
import { findEnds } from './find-ends.ts';
import { createEndTest } from './fork-path.ts';
import { planForks } from './plan-forks.ts';
import { findObstacle, planInPlace } from './plan-in-place.ts';

/** The capability to fork sessions of Claude Code. */
export const forking: ForkDialect = {
  plan: planForks,
  findEnds,
  createBeforeTest: (session, tree) =>
    createBeforeTest(session, tree, createEndTest(session, tree)),
  getUserText: (entry) => toTyped(entry) ?? '',
  inPlace: { findObstacle, plan: planInPlace },
};
