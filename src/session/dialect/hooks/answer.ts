import { CoppiceError } from '../../../errors.ts';
import { isObject, type JsonValue } from '../../jsonl/edit/json.ts';
import { toUsage, type Usage } from '../../model/usage.ts';

/** A hook failed, or gave an answer that cannot be used; the message names the hook and the field. */
export class HookError extends CoppiceError {
  override readonly name = 'HookError';
}

/**
 * Calls a hook, and returns its answer; undefined: the hook leaves the decision to the caller.
 * @throws HookError if the hook throws; the reason of the signal when that has aborted.
 */
export async function callHook<E>(
  name: string,
  hook: (event: E) => unknown,
  event: E,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    return (await hook(event)) ?? undefined;
  } catch (error) {
    signal.throwIfAborted();
    const message = error instanceof Error ? error.message : String(error);
    throw new HookError(`${name} failed: ${message}`, { cause: error });
  }
}

const TOKENS = ['input', 'output', 'cacheRead', 'cacheWrite', 'totalTokens'];

/** The fields of an answer, each checked as it is read. Every fault is a HookError. */
export class Answer {
  readonly #where: string;
  readonly #fields: Readonly<Record<string, unknown>>;

  /** `where`: the hook, and the field that holds these. */
  constructor(where: string, value: unknown, known: readonly string[]) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new HookError(`${where}: expected an object with ${known.join(', ')}; ${got(value)}`);
    }
    this.#where = where;
    this.#fields = Object.fromEntries(Object.entries(value));
    const unknown = Object.keys(this.#fields).find((key) => !known.includes(key));
    if (unknown !== undefined) {
      throw new HookError(`${where}.${unknown}: unknown field; use ${known.join(', ')}`);
    }
  }

  has(key: string): boolean {
    return this.#fields[key] !== undefined;
  }

  /** Absent is false. */
  flag(key: string): boolean {
    const value = this.#fields[key] ?? false;
    return typeof value === 'boolean' ? value : this.refuse(key, 'true or false');
  }

  /** Undefined where the field is absent. */
  object(key: string, known: readonly string[]): Answer | undefined {
    const value = this.#fields[key];
    return value === undefined ? undefined : new Answer(`${this.#where}.${key}`, value, known);
  }

  /** A text that says something. */
  text(key: string): string {
    const value = this.#fields[key];
    const isText = typeof value === 'string' && value.trim() !== '';
    return isText ? value : this.refuse(key, 'a text that is not empty');
  }

  idOrNull(key: string): string | null {
    const value = this.#fields[key] ?? null;
    return value === null || typeof value === 'string' ? value : this.refuse(key, 'an id, or null');
  }

  count(key: string): number {
    const value = this.#fields[key];
    const isCount = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
    return isCount ? value : this.refuse(key, 'a whole number, 0 or more');
  }

  /** Returns any JSON value, in the form in which it will be stored. */
  json(key: string): JsonValue | undefined {
    const value = this.#fields[key];
    if (value === undefined) return undefined;
    try {
      const text = JSON.stringify(value);
      if (typeof text === 'string') return JSON.parse(text);
    } catch {
      // The reason is reported below.
    }
    return this.refuse(key, 'a value that JSON can hold');
  }

  /** Tokens and costs, in pi's fields. */
  usage(key: string): Usage | undefined {
    const value = this.json(key);
    if (value === undefined) return undefined;
    if (!isObject(value)) return this.refuse(key, `an object with ${TOKENS.join(', ')}, cost`);
    const wrong = TOKENS.find((name) => value[name] !== undefined && !isAmount(value[name]));
    if (wrong !== undefined) return this.refuse(`${key}.${wrong}`, 'a number', value[wrong]);
    return toUsage(value);
  }

  refuse(key: string, expected: string, value: unknown = this.#fields[key]): never {
    throw new HookError(`${this.#where}.${key}: expected ${expected}; ${got(value)}`);
  }
}

function isAmount(value: JsonValue | undefined): boolean {
  return typeof value === 'number' && value >= 0;
}

function got(value: unknown): string {
  if (value === undefined) return 'it is missing';
  if (value === null || typeof value === 'number' || typeof value === 'boolean') {
    return `got ${value}`;
  }
  if (typeof value === 'string') return value.trim() === '' ? 'got an empty text' : 'got a text';
  if (Array.isArray(value)) return 'got a list';
  return typeof value === 'object' ? 'got an object' : `got a ${typeof value}`;
}
