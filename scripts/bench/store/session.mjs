// @ts-check
import { FIRST_MODEL } from './messages.mjs';
import { SessionAuthor } from './session-author.mjs';

/** @import { LineFile } from './line-file.mjs' */
/** @import { SessionPlan } from './plan.mjs' */
/** @import { Texts } from './text.mjs' */

/**
 * Writes one session as pi would have, and returns its last time. A fork begins with the very
 * entries of its parent, so it replays the parent's seed and then goes on with its own.
 * @param {SessionPlan} plan
 * @param {Texts} texts
 * @param {LineFile} file
 */
export function writeSession(plan, texts, file) {
  file.write(header(plan));
  const author = new SessionAuthor(plan.fork?.parent ?? plan, texts, file);
  author.begin();
  if (plan.fork !== undefined) {
    author.writeTurns(plan.fork.copiedBytes);
    author.continueAs(plan);
  }
  author.writeTurns(plan.bytes);
  return author.clock;
}

/** @param {SessionPlan} plan */
function header({ version, id, start, cwd, fork }) {
  const timestamp = new Date(start).toISOString();
  if (version > 1) {
    return { type: 'session', version, id, timestamp, cwd, parentSession: fork?.parent.path };
  }
  const { provider, model } = FIRST_MODEL;
  const settings = { provider, modelId: model, thinkingLevel: 'off' };
  return { type: 'session', id, timestamp, cwd, ...settings, branchedFrom: fork?.parent.path };
}
