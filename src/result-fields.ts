import { readFileSync } from 'node:fs';
import type { Parts } from './commands/parts.ts';
import { isArray, isObject, type JsonValue } from './session/json.ts';

/**
 * The fields of the results of a command, in their order, as the JSON Schema says that the package
 * ships. `schema`: the name of its file, such as `list-by`.
 */
export function readResultFields(schema: string): Parts {
  const file = new URL(`../schemas/output/${schema}.line.schema.json`, import.meta.url);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own schema
  const root = JSON.parse(readFileSync(file, 'utf8')) as JsonValue;
  return { noun: 'field', names: [...new Set(listProperties(root, root))] };
}

/** Those of a shape, and of every shape that it may be instead. */
function listProperties(shape: JsonValue | undefined, root: JsonValue): readonly string[] {
  if (!isObject(shape)) return [];
  const { $ref, anyOf, properties } = shape;
  const name = typeof $ref === 'string' ? $ref.replace('#/$defs/', '') : undefined;
  const definitions = isObject(root) ? root['$defs'] : undefined;
  const target = name !== undefined && isObject(definitions) ? definitions[name] : undefined;
  return [
    ...listProperties(target, root),
    ...(isArray(anyOf) ? anyOf.flatMap((one) => listProperties(one, root)) : []),
    ...(isObject(properties) ? Object.keys(properties) : []),
  ];
}
