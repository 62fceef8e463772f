import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/session/jsonl/edit/json.ts';
import { validateSession } from '../../src/session/validate/validate-session.ts';
import { buildHealthy, SESSION_ID, toText } from '../session/agents/neovate/healthy-session.ts';
import { FAULTS } from '../session/agents/neovate/faults.ts';
import { FIXTURES } from '../session/agents/neovate/recorded.ts';
import { makeTempDir, writeFiles } from '../temp-dir.ts';
import { mutate } from './mutate.ts';
import { compile, readSchema } from './schema.ts';
import { takeSome } from '../harness/runs.ts';

const schema = compile(readSchema('session/neovate'));
/** The rules about what one line holds: a schema of lines can demand nothing else. */
const SHAPE_RULES: ReadonlySet<string> = new Set(['message-fields', 'part-fields']);

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

function findBySchema(text: string): readonly number[] {
  const values = text.split('\n').map((line) => parse(line));
  return values.flatMap((value, index) => {
    const isLine = typeof value === 'object' && value !== null;
    return !isLine || schema(value) ? [] : [index + 1];
  });
}

async function findByRules(text: string): Promise<readonly number[]> {
  await writeFiles(dir, { [`${SESSION_ID}.jsonl`]: text });
  const path = join(dir, `${SESSION_ID}.jsonl`);
  const validation = await validateSession(path, { levels: new Map() });
  const found = (validation?.findings ?? []).filter(({ rule }) => SHAPE_RULES.has(rule));
  return [...new Set(found.map(({ line }) => line))].toSorted((a, b) => a - b);
}

describe("the schema of Neovate's session files", () => {
  it.each(readdirSync(FIXTURES).filter((name) => name.endsWith('.jsonl')))(
    'and validate refuse the same lines of %s',
    async (name) => {
      const text = readFileSync(join(FIXTURES, name), 'utf8');
      expect(findBySchema(text)).toEqual(await findByRules(text));
    },
  );

  it.each(FAULTS.filter(({ rule }) => SHAPE_RULES.has(rule)))(
    'and validate refuse the same lines when $rule finds $what',
    async ({ session }) => {
      const found = await findByRules(String(session));
      expect(findBySchema(String(session))).toEqual(found);
      expect(found).not.toEqual([]);
    },
  );

  it.each(buildHealthy().map((_, index) => index))(
    'and validate agree whatever is wrong with a field: line %i',
    async (index) => {
      const lines = buildHealthy();
      // What makes a line a message at all.
      for (const changed of takeSome([...mutate(lines[index] ?? {}, ['type'])], 12)) {
        const text = toText(lines.with(index, changed));
        const found = await findByRules(text);
        expect({ changed, lines: findBySchema(text) }).toEqual({ changed, lines: found });
      }
    },
  );
});
