// @ts-check
// The words that the schemas of session lines are written in.

export const text = { type: 'string' };
export const number = { type: 'number' };
export const boolean = { type: 'boolean' };
export const object = { type: 'object' };
export const list = { type: 'array' };
export const whole = { type: 'integer', minimum: 0 };
export const listOf = (items) => ({ type: 'array', items });
export const oneOf = (...values) => ({ enum: values });

/** That, or null. */
export const maybe = (schema) => ({ ...schema, type: [schema.type, 'null'] });
export const ref = (name) => ({ $ref: `#/$defs/${name}` });
export const maybeRef = (name) => ({ anyOf: [ref(name), { type: 'null' }] });
export const says = (description, schema) => ({ ...schema, description });

/** Fields whose name ends in `?` may be missing. */
export function fields(specs, description) {
  const names = Object.keys(specs);
  return {
    ...(description && { description }),
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name.replace('?', ''), specs[name]])),
    required: names.filter((name) => !name.endsWith('?')),
  };
}

/** Demands a shape of objects with this value in this field, and nothing of others. */
export const when = (key, value, name) => ({
  if: { type: 'object', properties: { [key]: { const: value } }, required: [key] },
  // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
  then: ref(name),
});

/** For each of the shapes: demanded of objects that name it in this field. */
export const choose = (key, prefix, shapes) =>
  Object.keys(shapes).map((name) => when(key, name, `${prefix}.${name}`));

export const withPrefix = (prefix, shapes) =>
  Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [`${prefix}.${name}`, shape]));

export function withHead(name, title, schema) {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `https://unpkg.com/coppice/schemas/${name}.schema.json`,
    title,
    ...schema,
  };
}
