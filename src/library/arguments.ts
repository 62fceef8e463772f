import { resolve } from 'node:path';

/** The kinds of arguments, checked for callers in JavaScript, who have no types. */
const KINDS = {
  text: ['a text', (value) => typeof value === 'string'],
  path: ['a path', isPath],
  paths: ['a list of paths', (value) => Array.isArray(value) && value.every(isPath)],
  flag: ['true or false', (value) => typeof value === 'boolean'],
  count: ['a whole number, 0 or more', (value) => isNumber(value) && Number.isSafeInteger(value)],
  amount: ['a number, 0 or more', isNumber],
  limit: [
    "a whole number, 0 or more, or 'unlimited'",
    (value) => value === 'unlimited' || (isNumber(value) && Number.isSafeInteger(value)),
  ],
  object: ['an object', isObject],
  objects: ['a list of objects', (value) => Array.isArray(value) && value.every(isObject)],
  texts: [
    'a list of texts',
    (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  ],
  function: ['a function', (value) => typeof value === 'function'],
  map: ['a Map', (value) => value instanceof Map],
  signal: ['an AbortSignal', (value) => value instanceof AbortSignal],
  any: ['anything', () => true],
} as const satisfies Record<string, readonly [string, (value: unknown) => boolean]>;

/** One of them, or the texts to choose from. */
export type Kind = keyof typeof KINDS | readonly string[];

/** An empty one would stand for the working directory. */
function isPath(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** The options that a function takes, by name. */
export type OptionKinds<T> = { readonly [K in keyof Required<T>]: Kind };

/** @throws TypeError that names the argument. */
export function check(name: string, kind: Kind, value: unknown): void {
  const [words, fits] =
    typeof kind === 'string'
      ? KINDS[kind]
      : [
          `one of ${kind.join(', ')}`,
          (one: unknown) => typeof one === 'string' && kind.includes(one),
        ];
  if (!fits(value)) throw new TypeError(`${name}: expected ${words}; got ${describe(value)}`);
}

/**
 * Returns a path as the command line has it: absolute. Agents, and the facts around a session, know it by its whole
 * path, and later the working directory may be another. @throws TypeError that names the argument.
 */
export function toPath(name: string, value: string): string {
  check(name, 'path', value);
  return resolve(value);
}

/** Checks an argument that may be left out. */
export function checkOptional(name: string, kind: Kind, value: unknown): void {
  if (value !== undefined) check(name, kind, value);
}

/**
 * Checks the options of a function; an unknown one is wrong, too, since it was meant to have an effect.
 * @throws TypeError that names the option.
 */
export function checkOptions<T extends object>(options: T, kinds: OptionKinds<T>): void {
  check('options', 'object', options);
  const known = new Map<string, Kind>(Object.entries(kinds));
  for (const [name, value] of Object.entries(options)) {
    const kind = known.get(name);
    if (kind === undefined) {
      throw new TypeError(`${name}: unknown option; use one of ${[...known.keys()].join(', ')}`);
    }
    checkOptional(name, kind, value);
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80));
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value;
}

/** @throws TypeError for an object that summarizes nothing. */
export function checkSummarizer(summarizer: object): void {
  check('summarizer.summarize', 'function', Reflect.get(summarizer, 'summarize'));
}

/** An option that is undefined is one that was left out. */
export function withoutUndefined<T extends object>(options: T): T {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it lacks what is undefined in it
  return Object.fromEntries(given) as T;
}
