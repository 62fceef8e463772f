import type { SessionSummary } from '../../../model/summary.ts';

/** Programs that are given a prompt and print an answer. */
const SDK = /^sdk-/;

/** Apps that list sessions by themselves: of one that they have begun or continued, 2.1.332 deletes nothing by age. */
const HOSTS = /^(?:claude-desktop(?:-3p)?|local[-_]agent)$/;

/** The programs in which the lines of a session were written, as each line names them. */
export class Entrypoints {
  #first: string | undefined;
  #last: string | undefined;
  #hasCopied = false;
  /** That of the first line which is not copied from another session. */
  #own: string | undefined;

  add(entrypoint: string | undefined, isCopied: boolean): void {
    if (isCopied) this.#hasCopied = true;
    if (entrypoint === undefined) return;
    this.#first ??= entrypoint;
    this.#last = entrypoint;
    if (!isCopied) this.#own ??= entrypoint;
  }

  describe(isSubagent: boolean): Pick<SessionSummary, 'entrypoint' | 'source' | 'isHeldByHost'> {
    const isHeldByHost = [this.#first, this.#last].some((one) => HOSTS.test(one ?? ''));
    return { ...this.#describeStart(isSubagent), ...(isHeldByHost && { isHeldByHost }) };
  }

  /**
   * The copied lines of a fork say who started the other session: a program has started this one only if its own lines
   * say so as well. A fork without any was made by a person.
   */
  #describeStart(isSubagent: boolean): Pick<SessionSummary, 'entrypoint' | 'source'> {
    if (isSubagent) return { source: 'subagent' };
    const starts = this.#hasCopied ? [this.#first, this.#own] : [this.#first];
    const isProgram = starts.every((one) => SDK.test(one ?? ''));
    return {
      ...(this.#first !== undefined && { entrypoint: this.#first }),
      source: isProgram ? 'exec' : 'interactive',
    };
  }
}
