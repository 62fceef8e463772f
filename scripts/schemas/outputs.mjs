// @ts-check
// JSON Schemas of what the commands print, made of the types that they are compiled against.
import { fileURLToPath } from 'node:url';
import { createGenerator } from 'ts-json-schema-generator';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** File name → the type of the document, and where it is. */
const DOCUMENTS = {
  list: ['ListDocument', 'coppice list --json, also with --usage and --lineage'],
  'list-by': ['TotalsDocument', 'coppice list --by … --json'],
  'list-entries': ['EntriesDocument', 'coppice list --entries --json'],
  'list-info': ['InfoDocument', 'coppice list --info --json'],
  validate: ['FindingsDocument', 'coppice validate --json'],
  'print-config': ['ConfigDocument', 'coppice list --print-config --json, also of other commands'],
  'validate-rules': ['RulesDocument', 'coppice validate --list-rules --json'],
  migrate: ['MigrateDocument', 'coppice migrate --json'],
  fork: ['ForkDocument', 'coppice fork --json'],
  'fork-in-place': ['InPlaceDocument', 'coppice fork --in-place --json'],
  'fork-points': ['PointsDocument', 'coppice fork --points --json'],
  compact: ['CompactDocument', 'coppice compact --json'],
  'compact-storage': ['ReduceDocument', 'coppice compact --images … --json, and other reducers'],
  prune: ['PruneDocument', 'coppice prune --json, also with --restore'],
  'prune-list': [
    'ArchiveDocument',
    'coppice prune --archive … --list --json, also --rebuild-index',
  ],
  'prune-check': ['CheckDocument', 'coppice prune --archive … --check --json'],
  export: ['ExportDocument', 'coppice export --out … --json'],
};

/** @returns {Record<string, object>} by file name */
export function makeOutputSchemas() {
  const generator = createGenerator({
    path: `${ROOT}src/commands/shared/output/documents.ts`,
    tsconfig: `${ROOT}tsconfig.build.json`,
    skipTypeCheck: true,
    additionalProperties: true,
    topRef: false,
    jsDoc: 'extended',
  });
  /** @type {Record<string, object>} */
  const files = {};
  for (const [name, [type, title]] of Object.entries(DOCUMENTS)) {
    const document = toModern(generator.createSchema(type));
    files[`output/${name}.schema.json`] = withHead(name, title, document);
    const line = { ...document.properties.results.items, $defs: document.$defs };
    files[`output/${name}.line.schema.json`] = withHead(
      `${name}.line`,
      `A line of ${title.replace('--json', '--format ndjson')}`,
      line,
    );
  }
  const lines = generator.createSchema('PlanLine');
  files['output/prune-plan.line.schema.json'] = withHead(
    'prune-plan.line',
    'A line of the file that coppice prune --plan-out writes',
    toModern(lines),
  );
  return files;
}

function withHead(name, title, { $schema: _, description, $defs: all, ...schema }) {
  const $defs = all && pickUsed(schema, all);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `https://unpkg.com/coppice/schemas/output/${name}.schema.json`,
    title,
    ...(description && { description }),
    ...schema,
    ...($defs && Object.keys($defs).length > 0 && { $defs }),
  };
}

/** The definitions that a schema refers to, and those that they refer to. */
function pickUsed(schema, definitions) {
  const used = new Set();
  const visit = (part) => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/\$defs\/([^"]+)"/g)) {
      if (name === undefined || used.has(name)) continue;
      used.add(name);
      visit(definitions[name]);
    }
  };
  visit(schema);
  return Object.fromEntries(Object.entries(definitions).filter(([name]) => used.has(name)));
}

/** From draft 7 to 2020-12, as far as the generator's output needs it. */
function toModern(schema) {
  const text = JSON.stringify(schema, (key, value) => {
    if (key !== '$ref') return value;
    return value.replace('#/definitions/', '#/$defs/');
  });
  const { definitions, ...rest } = JSON.parse(text);
  return { ...rest, ...(definitions && { $defs: definitions }) };
}
