import type { ForkDialect } from '../../../dialect/forking.ts';
import type { JsonObject } from '../../../jsonl/edit/json.ts';
import { isMessage } from '../format.ts';
import { getText } from '../entry/parts.ts';
import { planForks } from './plan-forks.ts';
import { findObstacle, planInPlace } from './plan-in-place.ts';

/** How sessions of Neovate are forked. */
export const forking: ForkDialect = {
  plan: planForks,
  getUserText,
  inPlace: { findObstacle, plan: planInPlace },
};

/** What a person typed; not what a command of theirs was expanded to. */
function getUserText(entry: JsonObject): string {
  const isTyped = isMessage(entry) && entry['role'] === 'user' && entry['hidden'] !== true;
  return isTyped ? getText(entry) : '';
}
