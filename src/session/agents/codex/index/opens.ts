import { hasBom, isWellFormed, type LineContent } from '../../../jsonl/read/parse-line.ts';
import type { JsonObject } from '../../../jsonl/edit/json.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import type { Problem } from '../../../model/summary.ts';
import { CURRENT_VERSION, getVersion, isEnveloped, openLine, UNKNOWN_VERSION } from '../format.ts';
import { findHeaderFault, isEnvelopeRead } from '../entry/fields/line-fields.ts';

/**
 * Finds out why Codex 0.169 would not open a rollout. A file without envelopes is not a problem of
 * its own: no release since 0.40 reads one, and coppice does.
 */
export class Opens {
  #problem: Problem | undefined;
  #isFirst = true;
  /** The first line has no envelope: in a file of lines that have none, no other has. */
  #isBare = false;
  #isPaginated = false;
  #lastHasOrdinal = true;

  visit(line: Line, content: LineContent): void {
    if (!isWellFormed(line, content)) {
      this.#report('rollout-invalid-utf8', `line ${line.number} is not valid UTF-8`);
    }
    if (this.#isFirst && hasBom(line)) this.#report('file-bom', 'begins with a byte order mark');
    if (content.kind === 'blank') return;
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (isFirst) this.#isBare = content.kind !== 'object' || !isEnveloped(content.value);
    if (content.kind !== 'object') return;
    const { value } = content;
    const { type, payload } = openLine(value);
    if (this.#isBare) {
      if (isFirst || !isEnveloped(value)) return;
      this.#isBare = false;
      this.#report('header-missing', 'does not begin with its header');
    } else if (isFirst) {
      if (type !== 'session_meta') this.#report('header-missing', 'does not begin with its header');
      else this.#visitHeader(payload);
    }
    if (isEnvelopeRead(value)) this.#lastHasOrdinal = typeof value['ordinal'] === 'number';
  }

  /** Finds what is wrong, once all lines have been visited. */
  findProblem(): Problem | undefined {
    if (this.#isPaginated && !this.#lastHasOrdinal) {
      this.#report('ordinal-missing', 'its last line has no ordinal');
    }
    return this.#problem;
  }

  #visitHeader(payload: JsonObject): void {
    const fault = findHeaderFault(payload);
    if (fault !== undefined) this.#report('header-invalid', `the header is invalid: ${fault}`);
    const version = getVersion(payload);
    if (version === UNKNOWN_VERSION) {
      this.#report('version-unknown', 'the history mode in the header is unknown');
    }
    this.#isPaginated = version === CURRENT_VERSION;
  }

  #report(code: string, what: string): void {
    this.#problem ??= { code, message: `${what}: Codex does not open it` };
  }
}
