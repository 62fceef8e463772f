import { resolve } from 'node:path';
import { formatChoices } from '../report/text/suggest.ts';
import { isArray, isObject, type JsonValue } from '../session/jsonl/edit/json.ts';
import type { OptionSpec } from '../commands/command.ts';
import { findGlobFault, toAbsoluteGlob } from '../store/find/path-glob.ts';
import { findPartsFault, isCount, toCount, findNumberFault } from '../commands/values.ts';

/** What is wrong with the value of an option in a configuration; undefined if nothing is. */
export function findFault(spec: OptionSpec, value: unknown): string | undefined {
  if (spec.type === 'boolean')
    return typeof value === 'boolean' ? undefined : 'is not true or false';
  if (spec.type === 'number') return findNumberFault(value, spec.range);
  if (spec.counts)
    return isCount(toCount(value)) ? undefined : "expected a whole number or 'unlimited'";
  if (spec.choices) {
    return spec.choices.some((choice) => choice === value)
      ? undefined
      : formatChoices(isScalar(value) ? String(value) : typeof value, spec.choices.map(String));
  }
  if (spec.inConfig?.holds === 'pairs' && isObject(value)) {
    if (!Object.values(value).every(isScalar)) return 'has a value that is no text or number';
    return findPairFault(spec, toPairs(value));
  }
  if (spec.inConfig?.holds === 'rules-by-path') return findRulesFault(value);
  if (spec.inConfig?.holds === 'globs' && isArray(value)) {
    const globs = value.filter((item) => typeof item === 'string');
    const fault = findGlobFault(globs);
    if (fault !== undefined) return fault;
  }
  if (!spec.array) {
    return typeof value === 'string' ? findPairFault(spec, [value]) : 'is not a string';
  }
  const texts = isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  if (isArray(value) && texts.length === value.length) return findPairFault(spec, texts);
  return spec.inConfig?.holds === 'pairs'
    ? 'is neither an object nor a list of strings'
    : 'is not a list of strings';
}

/** The value as the command line would have it: paths as seen from the file, pairs as `key=value`. */
export function toOptionValue(
  { inConfig }: OptionSpec,
  value: JsonValue,
  { directory, home }: { readonly directory: string; readonly home: string },
): JsonValue {
  if (inConfig?.holds === 'path') {
    const toPath = (path: JsonValue): JsonValue =>
      typeof path === 'string' ? resolve(directory, path.replace(/^~(?=\/|$)/, home)) : path;
    return isArray(value) ? value.map(toPath) : toPath(value);
  }
  if (inConfig?.holds === 'globs' && isArray(value)) {
    return value.map((glob) =>
      typeof glob === 'string' ? toAbsoluteGlob(glob, directory, home) : glob,
    );
  }
  if (inConfig?.holds === 'rules-by-path' && isObject(value)) {
    return Object.entries(value).flatMap(([glob, levels]) => {
      const where = toAbsoluteGlob(glob, directory, home);
      return isObject(levels) ? toPairs(levels).map((pair) => `${pair}:${where}`) : [];
    });
  }
  if (inConfig?.holds === 'pairs' && isObject(value)) {
    return toPairs(value);
  }
  return value;
}

/** The levels themselves are checked by the command, whose rules they are. */
function findRulesFault(value: unknown): string | undefined {
  if (!isObject(value)) return 'is not an object of rules by glob';
  const isOdd = Object.values(value).some(
    (levels) => !isObject(levels) || !Object.values(levels).every(isScalar),
  );
  return isOdd ? 'has a value that is not an object of rules' : findGlobFault(Object.keys(value));
}

function findPairFault({ parts }: OptionSpec, texts: readonly string[]): string | undefined {
  const faults = parts && texts.flatMap((text) => findPartsFault(text, parts) ?? []);
  return faults?.[0];
}

function toPairs(value: object): string[] {
  return Object.entries(value).map(([key, one]) =>
    // A model glob that stands for every model: the bare value.
    key === '*' ? toText(one) : `${key}=${toText(one)}`,
  );
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
