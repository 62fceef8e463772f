import type { ForkDialect } from '../../../dialect/forking.ts';
import type { JsonObject } from '../../../jsonl/edit/json.ts';
import { isMessage } from '../format.ts';
import { getText } from '../entry/parts.ts';
import { createBeforeTest } from '../../../model/tree/entry-before.ts';
import { createRootTest } from '../../../model/tree/path-test.ts';
import { findEnds } from './find-ends.ts';
import { planForks } from './plan-forks.ts';
import { findObstacle, planInPlace } from './plan-in-place.ts';

/** The capability to fork sessions of Neovate. */
export const forking: ForkDialect = {
  plan: planForks,
  findEnds,
  createBeforeTest(session, tree) {
    const hasRoot = createRootTest(tree);
    return createBeforeTest(session, tree, (before) => !before || hasRoot(before));
  },
  getUserText,
  inPlace: { findObstacle, plan: planInPlace },
};

/** Returns the text that the user typed, not the one to which a command was expanded. */
function getUserText(entry: JsonObject): string {
  const isTyped = isMessage(entry) && entry['role'] === 'user' && entry['hidden'] !== true;
  return isTyped ? getText(entry) : '';
}
