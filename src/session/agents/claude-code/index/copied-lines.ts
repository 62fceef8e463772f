import {
  getObject,
  getString,
  isObject,
  type JsonObject,
  toTime,
} from '../../../jsonl/edit/json.ts';
import { isLikelyTime } from '../../../read/summaries/unread.ts';
import { isNode } from '../format.ts';

/** The client may write a line a little before or after the time that the line has. */
const SLACK_MS = 1000;

/**
 * Finds the lines that were copied from another session. Most say so. Those of `--fork-session` do not, up to 2.1.225,
 * but the client first notes the prompt of the fork, behind the copied notes of earlier prompts: copied messages are
 * older than that note.
 */
export class CopiedLines {
  /** When the last note was made that comes before all entries. */
  #begun = Number.NaN;
  #hasEntries = false;
  #hasOlder = false;

  /** Takes the next line; returns whether it was copied. */
  add(value: JsonObject): boolean {
    if (isNode(value)) {
      this.#hasEntries = true;
      return isMarked(value) || this.#isOlder(value);
    }
    const noted = this.#hasEntries ? Number.NaN : readNoteTime(value);
    if (!Number.isNaN(noted)) this.#begun = noted;
    return false;
  }

  /** A hook may have run long before the first prompt: only messages begin a copied part. */
  #isOlder(value: JsonObject): boolean {
    const time = toTime(value['timestamp']);
    if (!isLikelyTime(time) || !(time < this.#begun - SLACK_MS)) return false;
    const { type } = value;
    this.#hasOlder ||= type === 'user' || type === 'assistant';
    return this.#hasOlder;
  }
}

/** Returns whether a line names the session that it was copied from, as some lines of a fork do. */
function isMarked(value: JsonObject): boolean {
  return isObject(value['forkedFrom']) || getString(value, 'requestSessionId') !== undefined;
}

/** The client notes a prompt in its queue, or the states of files before it. */
function readNoteTime(value: JsonObject): number {
  const { type } = value;
  const stated = type === 'file-history-snapshot' ? getObject(value, 'snapshot') : value;
  if (stated === value && type !== 'queue-operation') return Number.NaN;
  const time = toTime(stated?.['timestamp']);
  return isLikelyTime(time) ? time : Number.NaN;
}
