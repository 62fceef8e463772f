// @ts-check
// docs/json.md: the fields of every output, from the schemas.

const HEAD = `# The JSON of every command

<!-- Made by npm run schemas. -->

\`--json\` prints one document:

    {"schemaVersion": 1, "command": "list", "results": […], "summary": {…}}

\`--format ndjson\` prints its results, one per line. \`--fields path,name\` beside either prints only these
fields of each result, in this order; a field that results do not have, or only with another option, is refused, exit 2. A file that was asked for and could not be used is
a result of its own, \`{path, problem: {code, message}}\`, whichever fields are printed. Times are ISO 8601 in UTC, sizes in bytes,
costs in US dollars. Within a \`schemaVersion\` fields are added, and never change their meaning.

Each document has a JSON Schema, and so has each line of ndjson, in \`schemas/output\`; in a program,
\`coppice/schemas/output/list.schema.json\`. TypeScript has the types: \`import type { ListDocument }
from 'coppice'\`.
`;

/** @param {Record<string, any>} schemas by file name @returns {string} Markdown */
export function makePage(schemas) {
  const sections = Object.entries(schemas)
    .filter(([name]) => name.startsWith('output/') && !name.includes('.line.'))
    .map(([name, schema]) => formatDocument(name, schema));
  return [HEAD, ...sections].join('\n');
}

function formatDocument(name, schema) {
  const { results, summary } = schema.properties;
  const { items } = results;
  const shapes = (items.anyOf ?? [items]).filter(({ $ref }) => $ref !== '#/$defs/FileProblem');
  const fields = Object.assign({}, ...shapes.map((shape) => getFields(schema, shape)));
  const sums = Object.keys(getFields(schema, summary)).map((field) => `\`${field}\``);
  return [
    `## ${schema.title.replace(/^(coppice .*? --json)/, '`$1`')}`,
    '',
    `[Schema](../schemas/${name}). Summary: ${sums.join(', ')}.`,
    '',
    '| field | type | |',
    '| --- | --- | --- |',
    ...Object.entries(fields).map(([field, value]) => formatField(schema, field, value)),
    '',
  ].join('\n');
}

function formatField(schema, field, { optional, ...value }) {
  const says = (value.description ?? '').replaceAll('|', '\\|').replaceAll('\n', ' ');
  return `| \`${field}\`${optional ? '?' : ''} | ${formatType(schema, value)} | ${says} |`;
}

function getFields(schema, shape) {
  const { properties, required = [] } = resolve(schema, shape);
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [
      name,
      { ...value, optional: !required.includes(name) },
    ]),
  );
}

function resolve(schema, shape) {
  return shape.$ref ? schema.$defs[shape.$ref.replace('#/$defs/', '')] : shape;
}

function formatType(schema, value) {
  const type = resolve(schema, value);
  if (type.enum) return type.enum.map((one) => `\`${one}\``).join(' ');
  if (type.anyOf) return type.anyOf.map((one) => formatType(schema, one)).join(' or ');
  if (type.type === 'array') return `list of ${formatType(schema, type.items)}`;
  if (type.type === 'object' && type.properties) {
    return `{${Object.keys(type.properties).join(', ')}}`;
  }
  return [type.type ?? 'any'].flat().join(' or ');
}
