// @ts-check
import { Messages } from './messages.mjs';
import { Random } from './random.mjs';

/** @import { LineFile } from './line-file.mjs' */
/** @import { SessionPlan } from './plan.mjs' */
/** @import { Texts } from './text.mjs' */

/** What writes the lines of one session, whose clock goes on with what it writes. */
export class Author {
  /**
   * @param {SessionPlan} plan
   * @param {Texts} texts
   * @param {LineFile} file
   */
  constructor(plan, texts, file) {
    this.plan = plan;
    this.file = file;
    this.texts = texts;
    this.random = new Random(plan.seed);
    this.messages = new Messages(this.random, texts);
    this.clock = plan.start;
  }

  /** How many bytes the session is still to have. */
  get room() {
    return this.plan.bytes - this.file.bytes;
  }

  time() {
    return new Date(this.clock).toISOString();
  }

  /** @param {number} median milliseconds */
  wait(median) {
    this.clock += Math.ceil(this.random.logNormal(median, 1));
  }
}
