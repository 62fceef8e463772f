import fc from 'fast-check';
import type { Operation } from '../reference.ts';
import { toMessage } from './messages.ts';

const KINDS = [
  'user',
  'assistant',
  'toolResult',
  'bash',
  'model',
  'thinking',
  'compaction',
  'branch',
  'reopen',
] as const;

interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly pick: number;
  readonly text: string;
}

/** Scripts for pi 0.30.2: it writes lists, and branches into a new file. */
export const linearScripts: fc.Arbitrary<readonly Operation[]> = fc
  .array(
    fc.record<Step>({
      kind: fc.constantFrom(...KINDS),
      pick: fc.nat(),
      text: fc.string({ unit: 'grapheme', maxLength: 12 }),
    }),
    { minLength: 1, maxLength: 24 },
  )
  .map((steps) => {
    const session = new LinearSession();
    for (const step of steps) session.take(step);
    return session.ops;
  });

/** Knows how many entries there are, the header being one. */
class LinearSession {
  readonly ops: Operation[] = [];
  /** Whether each entry is an answer: pi writes no file before the first one. */
  #answers = [false];
  #isFlushed = false;
  /** Whether the file holds what the agent does: some entries it never writes. */
  #isWhole = false;

  take({ kind, pick, text }: Step): void {
    switch (kind) {
      case 'branch':
        return this.#branch(1 + (pick % this.#answers.length));
      case 'reopen':
        return this.#isWhole ? this.#open('getSessionFile') : undefined;
      default:
        return this.#append(kind, this.#toAppend(kind, pick, text));
    }
  }

  #toAppend(
    kind: Exclude<Step['kind'], 'branch' | 'reopen'>,
    pick: number,
    text: string,
  ): Operation {
    if (kind === 'model') return ['saveModelChange', 'acme', text];
    if (kind === 'thinking') return ['saveThinkingLevelChange', text];
    if (kind !== 'compaction') return ['saveMessage', toMessage(kind, { text, pick, role: '' })];
    const timestamp = new Date(pick).toISOString();
    const firstKeptEntryIndex = pick % this.#answers.length;
    const counted = { firstKeptEntryIndex, tokensBefore: pick };
    return ['saveCompaction', { type: 'compaction', timestamp, summary: text, ...counted }];
  }

  #append(kind: Step['kind'], operation: Operation): void {
    this.ops.push(operation);
    this.#answers.push(kind === 'assistant');
    if (!this.#answers.includes(true)) this.#isWhole = false;
    else if (!this.#isFlushed) [this.#isFlushed, this.#isWhole] = [true, true];
  }

  /** What stands before an entry, in a file of its own, which is written at once. */
  #branch(count: number): void {
    const entries = { $ref: this.ops.push(['getEntries']) - 1 };
    this.#open('createBranchedSessionFromEntries', entries, count);
    this.#answers = this.#answers.slice(0, count);
    [this.#isFlushed, this.#isWhole] = [true, true];
  }

  #open(...source: Operation): void {
    const file = { $ref: this.ops.push(source) - 1 };
    this.ops.push(['setSessionFile', file]);
  }
}
