// @ts-check
// The JSON Schema of a configuration file, made of the commands' own options.
import { withSource } from '../load-source.mjs';

const commands = await withSource('src/commands/index.ts', ({ commands: entries }) =>
  Promise.all(entries.map(({ load }) => load())),
);

/** @returns {Record<string, object>} by file name */
export function makeConfigSchema() {
  const sections = Object.fromEntries(
    commands.map(({ name, options }) => [name, toSection(`coppice ${name}`, options)]),
  );
  const all = Object.assign({}, ...commands.map(({ options }) => options));
  // What means something else in another command can only be set for each.
  const shared = Object.entries(all).filter(([name, spec]) =>
    commands.every(({ options }) => !isOpen(options[name]) || isSame(options[name], spec)),
  );
  return {
    'config.schema.json': {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://unpkg.com/coppice/schemas/config.schema.json',
      title: 'Configuration of coppice',
      description:
        'coppice.config.json in a project, or $XDG_CONFIG_HOME/coppice/config.json. Options marked ' +
        '"own file only" are refused in the file of a project.',
      type: 'object',
      properties: {
        $schema: { type: 'string' },
        defaults: toSection('Every command that has the option', Object.fromEntries(shared)),
        ...sections,
      },
      additionalProperties: false,
    },
  };
}

function isOpen(spec) {
  return spec?.inConfig !== undefined;
}

function isSame(a, b) {
  return JSON.stringify(toType(a)) === JSON.stringify(toType(b));
}

function toSection(description, options) {
  const open = Object.entries(options).filter(([, spec]) => isOpen(spec));
  return {
    description,
    type: 'object',
    properties: Object.fromEntries(open.map(([name, spec]) => [name, toProperty(spec)])),
    additionalProperties: false,
  };
}

function toProperty(spec) {
  const own = spec.inConfig.by === 'user' ? ' (own file only)' : '';
  const hasDefault = spec.default !== undefined && spec.defaultDescription === undefined;
  return {
    description: `${spec.describe}${own}`,
    ...toType(spec),
    ...(hasDefault && { default: spec.default }),
  };
}

/** Names and their values, as an object or as a list of `<name>=<value>`. */
function toPairs({ names, values }) {
  return {
    anyOf: [
      {
        type: 'object',
        propertyNames: { enum: names },
        additionalProperties: { enum: values },
      },
      {
        type: 'array',
        items: { type: 'string', pattern: `^(${names.join('|')})=(${values.join('|')})$` },
      },
    ],
  };
}

function toType(spec) {
  if (spec.type === 'boolean') return { type: 'boolean' };
  if (spec.type === 'number') {
    const { min, max } = spec.range ?? { min: 0 };
    return { type: 'integer', minimum: min, ...(max !== undefined && { maximum: max }) };
  }
  if (spec.isCount) return { anyOf: [{ type: 'integer', minimum: -1 }, { const: 'unlimited' }] };
  if (spec.choices) return { enum: spec.choices };
  if (spec.inConfig?.holds === 'rules-by-path') {
    return {
      type: 'object',
      additionalProperties: { type: 'object', additionalProperties: { type: 'string' } },
    };
  }
  if (spec.parts?.values) return toPairs(spec.parts);
  if (!spec.array) return { type: 'string', minLength: 1 };
  const list = { type: 'array', items: { type: 'string', minLength: 1 } };
  if (spec.inConfig?.holds !== 'pairs') return list;
  return {
    anyOf: [{ type: 'object', additionalProperties: { type: ['string', 'number'] } }, list],
  };
}
