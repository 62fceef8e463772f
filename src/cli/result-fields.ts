import { readSchema } from '../package.ts';
import { isArray, isObject, type JsonValue } from '../session/jsonl/edit/json.ts';
import type { AnyCommand } from '../commands/command.ts';
import type { Parts } from '../commands/values.ts';

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
