import { getNumber, getObject, type JsonObject } from '../jsonl/edit/json.ts';

/** Tokens by kind, and what they cost in US dollars as the agent reckoned it. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly totalTokens: number;
  readonly cost: number;
}

export const NO_USAGE: Usage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: 0,
};

/** The usage of one entry, with the key that distinguishes it from every other entry of its lineage. */
export interface EntryUsage {
  /** Equal for an entry and its copy in a fork. */
  readonly key: string;
  /** The id of the request, or of the entry: entries of one key that name different ones are not the same. */
  readonly request?: string | undefined;
  /** The key distinguishes it from the entries of all sessions, also of those that are no relatives. */
  readonly isUnique?: true | undefined;
  /** The model as `provider/model`; undefined if the entry names none (tool results, summaries). */
  readonly model: string | undefined;
  /** Milliseconds; NaN when unreadable. */
  readonly time: number;
  readonly usage: Usage;
}

/** The facts of an entry that sums need. */
export type CountedUsage = Pick<EntryUsage, 'model' | 'time' | 'usage'>;

/**
 * The usages of a session in one list of numbers: quick to hand to another thread, and to write and
 * read as JSON, where an object for each takes many times as long.
 */
export interface PackedUsages {
  readonly models: readonly string[];
  /**
   * Eleven for each: the place of its model, or -1; its time; 1 for a key that distinguishes it from those of all
   * sessions; hashes of its key and its request, 0 for none; its usage.
   */
  readonly numbers: ArrayLike<number | null>;
}

/** The places of the usages that each session has of another one, among its own, by path. */
export type InheritedUsages = ReadonlyMap<string, ReadonlySet<number>>;

/** All time zones begin their days at a quarter of an hour. */
export const QUARTER_MS = 900_000;

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    totalTokens: a.totalTokens + b.totalTokens,
    cost: a.cost + b.cost,
  };
}

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Adds to a sum where an object for each step would be made. */
export function addUsageTo(sum: Mutable<Usage>, more: Usage): void {
  sum.input += more.input;
  sum.output += more.output;
  sum.cacheRead += more.cacheRead;
  sum.cacheWrite += more.cacheWrite;
  sum.totalTokens += more.totalTokens;
  sum.cost += more.cost;
}

export function sumUsage(entries: readonly Pick<EntryUsage, 'usage'>[]): Usage {
  const sum = { ...NO_USAGE };
  for (const { usage } of entries) addUsageTo(sum, usage);
  return sum;
}

export function subtractUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input - b.input,
    output: a.output - b.output,
    cacheRead: a.cacheRead - b.cacheRead,
    cacheWrite: a.cacheWrite - b.cacheWrite,
    totalTokens: a.totalTokens - b.totalTokens,
    cost: a.cost - b.cost,
  };
}

/** The sum of any number of larger ones would not be exact, and not even finite. */
const MAX_COUNT = 1e15;

/** Returns a stored count or cost; 0 for one that is missing, or cannot be true. */
export function toCount(stored: number | undefined): number {
  return stored !== undefined && Math.abs(stored) <= MAX_COUNT ? stored : 0;
}

/** Reads a stored `usage` object; whatever is missing counts as 0. */
export function toUsage(value: JsonObject): Usage {
  const count = (key: string): number => toCount(getNumber(value, key));
  const [input, output] = [count('input'), count('output')];
  const [cacheRead, cacheWrite] = [count('cacheRead'), count('cacheWrite')];
  const cost = getObject(value, 'cost');
  // The members are written out: Node 20 makes a class of its own for each object that grows after a spread.
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    totalTokens: count('totalTokens') || input + output + cacheRead + cacheWrite,
    cost: toCount(cost && getNumber(cost, 'total')),
  };
}
