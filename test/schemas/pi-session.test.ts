import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isObject, type JsonObject, type JsonValue } from '../../src/session/jsonl/edit/json.ts';
import { validateSession } from '../../src/session/validate/validate-session.ts';
import { buildSession, toText, writeSession } from '../session/rules/healthy-session.ts';
import { ENTRY_FAULTS } from '../session/rules/faults/entry-faults.ts';
import { HEADER_FAULTS } from '../session/rules/faults/header-faults.ts';
import { mutate } from './mutate.ts';
import { compile, readSchema } from './schema.ts';
import { takeSome } from '../harness/runs.ts';

const schemas = new Map(
  [1, 2, 3].map((version) => [version, compile(readSchema(`session/pi-v${version}`))]),
);
/** The rules about what one line holds: a schema of lines can demand nothing else. */
const SHAPE_RULES: ReadonlySet<string> = new Set([
  'header-invalid',
  'entry-shape',
  'entry-parent-missing',
  'entry-time-number',
  'entry-time-unreadable',
  'message-shape',
  'block-shape',
]);
const RECORDED = fileURLToPath(new URL('../fixtures/recorded/', import.meta.url));

function parse(line: string): JsonValue | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function getVersion(values: readonly (JsonValue | undefined)[]): number {
  const header = values.find((value) => isObject(value) && value['type'] === 'session');
  const version = isObject(header) ? header['version'] : undefined;
  return typeof version === 'number' ? version : 1;
}

/** The lines that the schema of the file's version refuses; those that do not parse are not asked. */
function findBySchema(text: string, version?: number): readonly number[] {
  const values = text.split('\n').map((line) => parse(line));
  const schema = schemas.get(version ?? getVersion(values));
  return values.flatMap((value, index) =>
    value === undefined || schema?.(value) === true ? [] : [index + 1],
  );
}

async function findByRules(path: string): Promise<readonly number[]> {
  const validation = await validateSession(path, { levels: new Map() });
  const found = (validation?.findings ?? []).filter(({ rule }) => SHAPE_RULES.has(rule));
  return [...new Set(found.map(({ line }) => line))].toSorted((a, b) => a - b);
}

const toKind = ({ type }: JsonObject): string => (typeof type === 'string' ? type : '?');

describe('the schema of a session file', () => {
  it.each(readdirSync(RECORDED).filter((name) => name.endsWith('.jsonl')))(
    'and validate refuse the same lines of %s',
    async (name) => {
      const text = readFileSync(RECORDED + name, 'utf8');
      // A fork of an old release: its header says 3, its entries are of version 1.
      const version = name.includes('forked-v1') ? 1 : undefined;
      expect(findBySchema(text, version)).toEqual(await findByRules(RECORDED + name));
    },
  );

  it.each([...ENTRY_FAULTS, ...HEADER_FAULTS].filter(({ rule }) => SHAPE_RULES.has(rule)))(
    'and validate refuse the same lines when $rule finds $what',
    async ({ session, place }) => {
      const found = await findByRules(await writeSession(session, place));
      expect(findBySchema(String(session))).toEqual(found);
      expect(found).not.toEqual([]);
    },
  );

  it.each(buildSession().map((record, index) => [toKind(record), index] as const))(
    'and validate agree whatever is wrong with a field: %s on line %i',
    async (_type, index) => {
      const session = buildSession();
      const record = session[index] ?? {};
      // What makes a line a header, and which schema is asked.
      const fixed = record['type'] === 'session' ? ['type', 'version'] : [];
      for (const changed of takeSome([...mutate(record, fixed)], 12)) {
        const text = toText(session.with(index, changed));
        const found = await findByRules(await writeSession(text));
        expect({ changed, lines: findBySchema(text) }).toEqual({ changed, lines: found });
      }
    },
  );
});
