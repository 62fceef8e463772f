import { createBeforeTest } from '../../../model/tree/entry-before.ts';
import { createRootTest } from '../../../model/tree/path-test.ts';
import { findEnds } from './find-ends.ts';
import { assertOpened, planForks } from './plan-forks.ts';
import { planInPlace } from './plan-in-place.ts';
import { addSummary, readLeft, summarizeLeft } from './summarize-left.ts';
import { getMessage } from '../format.ts';
import type { ForkDialect } from '../../../dialect/forking.ts';
import type { JsonObject } from '../../../jsonl/edit/json.ts';
import { joinTexts } from '../entry/join-texts.ts';

/** The text of a user message as pi's `/fork` gives it back: text blocks, with nothing between. */
function getUserText(entry: JsonObject): string {
  return joinTexts(getMessage(entry)?.['content'], '') ?? '';
}

/** The capability to fork sessions of pi. */
export const forking: ForkDialect = {
  plan: planForks,
  findEnds,
  createBeforeTest(session, tree) {
    assertOpened(session);
    const hasRoot = createRootTest(tree);
    return createBeforeTest(session, tree, (before) => !before || hasRoot(before));
  },
  getUserText,
  summaries: { readLeft, summarizeLeft, addSummary },
  inPlace: { findObstacle: () => undefined, plan: planInPlace },
};
