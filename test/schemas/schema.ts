import { readFileSync } from 'node:fs';
import { isObject } from '../../src/session/jsonl/edit/json.ts';
import formats from 'ajv-formats';
import { Ajv2020, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js';

/** A schema that the package ships. */
export function readSchema(name: string): AnySchemaObject {
  const url = new URL(`../../schemas/${name}.schema.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8'));
}

/** In ajv's strict mode, which refuses schemas that say less than they seem to. */
export function compile(schema: AnySchemaObject): ValidateFunction {
  const ajv = new Ajv2020({
    allErrors: true,
    allowUnionTypes: true,
    // Optimizing the code takes longer than all use of it.
    code: { optimize: false },
  });
  formats.default(ajv);
  return ajv.compile(schema);
}

/** The same schema, in which no object may have fields that it does not name. */
export function close(schema: AnySchemaObject): AnySchemaObject {
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
    const isShape = isObject(value) && value['type'] === 'object' && isObject(value['properties']);
    return isShape ? { ...value, unevaluatedProperties: false } : value;
  });
}
