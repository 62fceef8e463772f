import { TAKEN, UNSEEN } from '../../../jsonl/scanner/layout.ts';
import { LEAVE, TAKE } from './layout.ts';
import type { Scanner } from './scanner.ts';

/**
 * Knows by their shape the lines of messages as releases for v1 have written them: well-formed, and
 * with nothing in them that a newer version has in another way, but that they have no place.
 */
export class PlainMessages {
  /** The time of the message that was read last, in milliseconds; NaN for the result of a tool. */
  activity = Number.NaN;

  readonly #scanner: Scanner;
  #isUnseen = false;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  /** False for a line that has to be parsed. */
  read(bytes: Buffer): boolean {
    const { exports } = this.#scanner;
    this.#isUnseen = false;
    const start = this.#scanner.window.locate(bytes);
    if (start === undefined) return false;
    this.#scanner.learnFor('migration');
    const ending = exports.look(start, start + bytes.length);
    this.#isUnseen = ending === UNSEEN;
    if (ending !== TAKEN) return false;
    const isActivity = this.#scanner.areActivity[exports.shape.value] === true;
    this.activity = isActivity ? exports.messageTime.value : Number.NaN;
    return !isActivity || !Number.isNaN(this.activity);
  }

  /**
   * Learns whether the line that was read last is a plain message, and its activity as `activity`
   * would have it; call this when that line had to be parsed.
   */
  learn(isPlain: boolean, activity: number): void {
    if (!this.#isUnseen) return;
    this.#isUnseen = false;
    const { exports } = this.#scanner;
    const isActivity = !Number.isNaN(activity);
    const isRight = isPlain && (!isActivity || activity === exports.messageTime.value);
    if (exports.learn(isRight ? TAKE : LEAVE) !== 0)
      this.#scanner.areActivity[exports.shape.value] = isActivity;
  }
}
