import { readSchema } from '../package.ts';
import { isArray, isObject, type JsonValue } from '../session/jsonl/edit/json.ts';
import type { AnyCommand } from '../commands/command.ts';
import { findPartsFault, type Parts, splitNames } from '../commands/values.ts';
import { UsageError } from '../errors.ts';
import { describeNeeds, holds } from './check-together.ts';
import type { Values } from './check-options.ts';

/** @throws UsageError for fields that the results do not have. */
export function checkFields(values: Values, command: AnyCommand): void {
  const { fields } = values;
  if (typeof fields !== 'string') return;
  const fault =
    findPartsFault(fields, readResultFields(command, values)) ??
    findLack(splitNames(fields), values, command);
  if (fault !== undefined) throw new UsageError(`--fields ${fields}: ${fault}`);
}

/** Finds the fault of a field that only results of a run with another option have. */
function findLack(
  asked: readonly string[],
  values: Values,
  command: AnyCommand,
): string | undefined {
  const [name, needs] = listLacking(values, command).find(([one]) => asked.includes(one)) ?? [];
  if (name === undefined || needs === undefined) return undefined;
  const { names } = readOwnFields(command, values);
  return `'${name}' ${describeNeeds(needs)}; otherwise, use some of ${names.join(', ')}`;
}

/** Lists the fields that no result of a run with these values has, with the options of which each needs one. */
function listLacking(
  values: Values,
  command: AnyCommand,
): readonly (readonly [string, readonly string[]])[] {
  const all = values['print-config'] ? {} : (command.fieldNeeds?.(values) ?? {});
  return Object.entries(all).filter(
    ([, needs]) => !needs.some((one) => holds(one, values, command.options)),
  );
}

/** The fields of `readResultFields` without those that need an option which is not given. */
export function readOwnFields(command: AnyCommand, values: Values): Parts {
  const { names, ...parts } = readResultFields(command, values);
  const absent = new Set(listLacking(values, command).map(([name]) => name));
  return { ...parts, names: names.filter((name) => !absent.has(name)) };
}

/**
 * The fields of the results of a command with these values of its options, in their order, as the JSON
 * Schema says that the package ships.
 */
export function readResultFields(
  { name, getSchema }: AnyCommand,
  values: Readonly<Record<string, unknown>>,
): Parts {
  const own = getSchema?.(values) ?? name;
  const root = readSchema(`output/${values['print-config'] ? 'print-config' : own}.line`);
  return { noun: 'field', names: [...new Set(listProperties(root, root))] };
}

/** A file that could not be used: it is printed whole, so that its path is none that one can ask of other results. */
const UNUSED = '#/$defs/FileProblem';

/** Lists the properties of a shape and of its alternatives. */
function listProperties(shape: JsonValue | undefined, root: JsonValue): readonly string[] {
  if (!isObject(shape)) return [];
  const { $ref, anyOf, properties } = shape;
  if ($ref === UNUSED) return ['problem'];
  const name = typeof $ref === 'string' ? $ref.replace('#/$defs/', '') : undefined;
  const definitions = isObject(root) ? root['$defs'] : undefined;
  const target = name !== undefined && isObject(definitions) ? definitions[name] : undefined;
  return [
    ...listProperties(target, root),
    ...(isArray(anyOf) ? anyOf.flatMap((one) => listProperties(one, root)) : []),
    ...(isObject(properties) ? Object.keys(properties) : []),
  ];
}
