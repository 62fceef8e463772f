import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/session/jsonl/edit/json.ts';
import { validateSession } from '../../src/session/validate/validate-session.ts';
import { takeSome } from '../harness/runs.ts';
import { FAULTS } from '../session/agents/claude-code/faults.ts';
import { LINK_FAULTS } from '../session/agents/claude-code/link-faults.ts';
import { HEALTHY, SESSION_ID, toText } from '../session/agents/claude-code/healthy-session.ts';
import { makeTempDir, writeFiles } from '../temp-dir.ts';
import { mutate } from './mutate.ts';
import { close, compile, readSchema } from './schema.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures/claude-code/', import.meta.url));
const NAMES = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.jsonl'),
);

const schema = compile(readSchema('session/claude-code'));
const closed = compile(close(readSchema('session/claude-code')));
/** The rules about what one line holds: a schema of lines can demand nothing else. */
const SHAPE_RULES: ReadonlySet<string> = new Set([
  'message-unreadable',
  'node-unnamed',
  'block-fields',
]);

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
});

function parse(line: string): JsonValue | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function findBySchema(text: string, asked: ValidateFunction = schema): readonly number[] {
  const values = text.split('\n').map((line) => parse(line));
  return values.flatMap((value, index) => {
    const isLine = typeof value === 'object' && value !== null;
    return !isLine || asked(value) ? [] : [index + 1];
  });
}

async function findByRules(text: string | Buffer): Promise<readonly number[]> {
  const path = join(dir, `${SESSION_ID}.jsonl`);
  await writeFiles(dir, { [`${SESSION_ID}.jsonl`]: text });
  const validation = await validateSession(path, { levels: new Map() });
  const found = (validation?.findings ?? []).filter(({ rule }) => SHAPE_RULES.has(rule));
  return [...new Set(found.map(({ line }) => line))].toSorted((a, b) => a - b);
}

describe("the schema of Claude Code's session files", () => {
  it.each(NAMES)('and validate refuse the same lines of %s', async (name) => {
    const text = readFileSync(join(FIXTURES, name), 'utf8');
    expect(findBySchema(text)).toEqual(await findByRules(text));
  });

  it.each(NAMES.filter((name) => name.includes('recorded')))(
    'describes every field that the real client wrote: %s',
    (name) => {
      expect(findBySchema(readFileSync(join(FIXTURES, name), 'utf8'), closed)).toEqual([]);
    },
  );

  it.each([...FAULTS, ...LINK_FAULTS].filter(({ rule }) => SHAPE_RULES.has(rule)))(
    'and validate refuse the same lines when $rule finds $what',
    async ({ session }) => {
      const found = await findByRules(session);
      expect(findBySchema(String(session))).toEqual(found);
      expect(found).not.toEqual([]);
    },
  );

  it.each(HEALTHY.map((_, index) => index))(
    'and validate agree whatever is wrong with a field: line %i',
    async (index) => {
      // What makes a line one of a user, and a file one of Claude Code.
      for (const changed of takeSome([...mutate(HEALTHY[index] ?? {}, ['type'])], 12)) {
        const text = toText(HEALTHY.with(index, changed));
        const found = await findByRules(text);
        expect({ changed, lines: findBySchema(text) }).toEqual({ changed, lines: found });
      }
    },
  );
});
