import { hash } from 'node:crypto';
import type { SessionSummary } from '../summary.ts';
import {
  addUsageTo,
  type CountedUsage,
  type EntryUsage,
  type Mutable,
  NO_USAGE,
  type PackedUsages,
  type Usage,
} from '../usage.ts';

const NUMBERS = 11;
/** The places of the numbers of an entry. */
const [MODEL, TIME, IS_UNIQUE, KEY, REQUEST, USAGE] = [0, 1, 2, 3, 4, 5];

/** The digits of a hash: 52 bits, which no two of a million keys share by chance, and a number holds. */
const HASH_DIGITS = 13;

type OfUsages = Pick<SessionSummary, 'entryUsages' | 'packedUsages'>;

/** Packs usages, with a hash for each key and request. */
export function packUsages(usages: readonly EntryUsage[]): PackedUsages {
  const models = new Map<string | undefined, number>([[undefined, -1]]);
  const numbers = new Float64Array(usages.length * NUMBERS);
  let at = 0;
  for (const { key, request = '', isUnique, model, time, usage } of usages) {
    const place = models.get(model) ?? models.size - 1;
    models.set(model, place);
    numbers[at + MODEL] = place;
    numbers[at + TIME] = time;
    numbers[at + IS_UNIQUE] = isUnique ? 1 : 0;
    numbers[at + KEY] = toHash(key);
    numbers[at + REQUEST] = toHash(request);
    numbers[at + USAGE] = usage.input;
    numbers[at + USAGE + 1] = usage.output;
    numbers[at + USAGE + 2] = usage.cacheRead;
    numbers[at + USAGE + 3] = usage.cacheWrite;
    numbers[at + USAGE + 4] = usage.totalTokens;
    numbers[at + USAGE + 5] = usage.cost;
    at += NUMBERS;
  }
  return { models: [...models.keys()].filter((one) => one !== undefined), numbers };
}

/** 0 for none: a sum of several entries has no key. */
function toHash(text: string): number {
  return text === '' ? 0 : Number.parseInt(hash('sha1', text).slice(0, HASH_DIGITS), 16);
}

/** Returns whether usages were summed before they were packed: then none of them has a key. */
export function areSums({ numbers }: PackedUsages): boolean {
  return numbers[KEY] === 0;
}

/** The usages of a session by their keys. */
export interface KeyedUsages {
  readonly count: number;
  /** The hash of the key of an entry. */
  readonly keyAt: (index: number) => number;
  /** The hash of its request; 0 for none. */
  readonly requestAt: (index: number) => number;
  readonly isUniqueAt: (index: number) => boolean;
}

export function toKeyed({ numbers }: PackedUsages): KeyedUsages {
  const get = (index: number, place: number): number => numbers[index * NUMBERS + place] ?? 0;
  return {
    count: numbers.length / NUMBERS,
    keyAt: (index) => get(index, KEY),
    requestAt: (index) => get(index, REQUEST),
    isUniqueAt: (index) => get(index, IS_UNIQUE) === 1,
  };
}

/** Visits the usages that count for a session, with those of its sub-agents. `copied`: the places of those that count elsewhere. */
export function visitCounted(
  session: OfUsages & Pick<SessionSummary, 'subagents'>,
  copied: ReadonlySet<number> | undefined,
  visit: (usage: CountedUsage) => void,
): void {
  visitUsages(session, (one, index) => {
    if (copied?.has(index) !== true) visit(one);
  });
  for (const subagent of session.subagents ?? []) visitUsages(subagent, visit);
}

/**
 * Visits the usages of a summary, packed or not. Those that are packed are visited in one object, which is valid only
 * during the call: an object for each takes many times as long.
 */
export function visitUsages(
  { entryUsages, packedUsages }: OfUsages,
  visit: (usage: CountedUsage, index: number) => void,
): void {
  if (entryUsages) {
    entryUsages.forEach(visit);
    return;
  }
  if (!packedUsages) return;
  const { models, numbers } = packedUsages;
  const usage = { ...NO_USAGE };
  const one: Mutable<CountedUsage> = { model: undefined, time: Number.NaN, usage };
  for (let at = 0; at < numbers.length; at += NUMBERS) {
    one.model = models[numbers[at + MODEL] ?? -1];
    // JSON has `null` for a time that is none.
    one.time = numbers[at + TIME] ?? Number.NaN;
    usage.input = numbers[at + USAGE] ?? 0;
    usage.output = numbers[at + USAGE + 1] ?? 0;
    usage.cacheRead = numbers[at + USAGE + 2] ?? 0;
    usage.cacheWrite = numbers[at + USAGE + 3] ?? 0;
    usage.totalTokens = numbers[at + USAGE + 4] ?? 0;
    usage.cost = numbers[at + USAGE + 5] ?? 0;
    visit(one, at / NUMBERS);
  }
}

/** The usages of several files of one session, in order; packed if those of all are. */
export function joinUsages(summaries: readonly OfUsages[]): OfUsages {
  const packed = summaries.flatMap(({ packedUsages }) => packedUsages ?? []);
  if (packed.length === 0) {
    return { entryUsages: summaries.flatMap(({ entryUsages }) => entryUsages ?? []) };
  }
  const models = [...new Set(packed.flatMap((one) => one.models))];
  const all = new Float64Array(packed.reduce((sum, { numbers }) => sum + numbers.length, 0));
  let at = 0;
  for (const one of packed) {
    const places = one.models.map((model) => models.indexOf(model));
    all.set(
      Array.from(one.numbers, (number) => number ?? Number.NaN),
      at,
    );
    for (const end = at + one.numbers.length; at < end; at += NUMBERS) {
      all[at + MODEL] = places[all[at + MODEL] ?? -1] ?? -1;
    }
  }
  return { packedUsages: { models, numbers: all } };
}

/** Sums the usages at some places. */
export function sumUsagesAt(summary: OfUsages, places: ReadonlySet<number>): Usage {
  const sum = { ...NO_USAGE };
  visitUsages(summary, ({ usage }, index) => {
    if (places.has(index)) addUsageTo(sum, usage);
  });
  return sum;
}

/** Returns the model of the last usage that names one. */
export function getLastModel({ entryUsages, packedUsages }: OfUsages): string | undefined {
  if (entryUsages) return entryUsages.findLast(({ model }) => model !== undefined)?.model;
  const { models = [], numbers = [] } = packedUsages ?? {};
  for (let at = numbers.length - NUMBERS; at >= 0; at -= NUMBERS) {
    const model = models[numbers[at + MODEL] ?? -1];
    if (model !== undefined) return model;
  }
  return undefined;
}
