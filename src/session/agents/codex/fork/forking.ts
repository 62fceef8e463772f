import type { ForkDialect } from '../../../dialect/forking.ts';
import { getText, isTyped } from '../entry/typed.ts';
import { openLine } from '../format.ts';
import { createBeforeTest } from './fork-path.ts';
import { findEnds, planForks, requireOpened } from './plan-forks.ts';

/** The capability to fork threads of Codex. */
export const forking: ForkDialect = {
  plan: planForks,
  findEnds,
  createBeforeTest(session, tree) {
    requireOpened(session);
    return createBeforeTest(tree);
  },
  getUserText(entry) {
    const { type, payload } = openLine(entry);
    return type === 'response_item' && isTyped(payload) ? getText(payload) : '';
  },
  inPlace:
    'Codex shows the turns of a thread from its database, which a change of the file would contradict: ' +
    'fork without --in-place, or go back and name the thread in Codex',
};
