import { formatHint } from '../report/text/suggest.ts';
import type { Count } from '../store/prune/parse-rules.ts';

/** The names that the value of an option consists of, for checks, completion and suggestions. */
export interface Parts {
  /** The word for one of the names: column, rule. */
  readonly noun: string;
  /** The names; unless `values` is given, the option takes some of them, separated by commas. */
  readonly names: readonly string[];
  /** The values; where given, the option takes one name and one of these, as `<name>=<value>`. */
  readonly values?: readonly string[];
  /** The command that lists the names, if a message cannot hold them all. */
  readonly listedBy?: string;
}

/** Finds the fault of a value; undefined if there is none. */
export function findPartsFault(text: string, parts: Parts): string | undefined {
  const { noun, names, values } = parts;
  const asked = values ? [text.replace(/=.*/s, '')] : splitNames(text);
  const unknown = asked.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const all = parts.listedBy === undefined ? `use some of ${names.join(', ')}` : parts.listedBy;
    return `unknown ${noun} '${unknown}'${formatHint(unknown, names) || `; ${all}`}`;
  }
  const [name = ''] = asked;
  if (!values || values.some((value) => text === `${name}=${value}`)) return undefined;
  return `expected ${name}=${values.join('|')}`;
}

/** Splits a list such as `path, size` into names. */
export function splitNames(text: string): readonly string[] {
  return text.split(',').map((name) => name.trim());
}

/** Completes a value from its beginning. */
export function completeParts(begun: string, { names, values }: Parts): readonly string[] {
  if (values) {
    const [name, ...others] = names.filter((one) =>
      `${one}=`.startsWith(begun.replace(/=.*/s, '=')),
    );
    if (name === undefined) return [];
    return others.length > 0
      ? [name, ...others].map((one) => `${one}=`)
      : values.map((value) => `${name}=${value}`);
  }
  const head = begun.slice(0, begun.lastIndexOf(',') + 1);
  const used = new Set(splitNames(head));
  return names.filter((name) => !used.has(name)).map((name) => head + name);
}

/**
 * Reads the value of an option that takes a number, the last of a repeated one; NaN if it is not
 * digits.
 */
export function toNumber(value: unknown): number | undefined {
  const [last]: readonly unknown[] = [value].flat().slice(-1);
  if (last === undefined) return undefined;
  const isDigits = typeof last === 'number' || (typeof last === 'string' && /^\d+$/.test(last));
  return isDigits ? Number(last) : Number.NaN;
}

/** Reads the value of an option that counts, as `toNumber` does. */
export function toCount(value: unknown): Count | undefined {
  const [last]: readonly unknown[] = [value].flat().slice(-1);
  return last === 'unlimited' || last === '-1' || last === -1 ? 'unlimited' : toNumber(last);
}

/** Finds the fault of a value of an option that counts, as `toCount` makes it; undefined if there is none. */
export function findCountFault(value: unknown): string | undefined {
  if (value === 'unlimited' || (Number.isInteger(value) && Number(value) >= 0)) return undefined;
  return "expected a whole number, 0 or more, or 'unlimited'";
}

/** The whole numbers that an option accepts, both ends included. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** The range of jobs that are done side by side: each needs memory and a file that is open. */
export const AT_ONCE: Range = { min: 1, max: 256 };

/** Finds the fault of a value of an option that takes a number; undefined if there is none. */
export function findNumberFault(value: unknown, range: Range | undefined): string | undefined {
  const { min, max } = range ?? { min: 0, max: Number.MAX_SAFE_INTEGER };
  if (Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max) return undefined;
  return `expected a whole number${range ? ` from ${min} to ${max}` : ', 0 or more'}`;
}

type CamelCase<S> = S extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

/** Options by the names that rules have below the command line: `older-than` is `olderThan` there. */
export type Rules<T> = { readonly [K in keyof T as CamelCase<K>]: T[K] };

export function toRules<T extends object>(args: T): Rules<T> {
  const named = Object.entries(args).map(([name, value]: [string, unknown]) => {
    return [name.replace(/-[a-z]/g, ([, letter = '']) => letter.toUpperCase()), value];
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys are renamed as in the type
  return Object.fromEntries(named) as Rules<T>;
}

/** Turns the name of a rule into its option, with the dashes of the command line. */
export function toOption(rule: string): string {
  return `--${rule.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
