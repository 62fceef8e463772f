import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dialects } from '../../../src/session/agents/index.ts';
import type { LineFold } from '../../../src/session/dialect/fold.ts';
import type { Dialect } from '../../../src/session/dialect/dialect.ts';
import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../src/session/jsonl/edit/json.ts';
import type { Members, Part } from '../../../src/session/jsonl/scanner/plan.ts';
import { LineSplitter } from '../../../src/session/jsonl/read/line-splitter.ts';
import { parseLine, ScannedObject } from '../../../src/session/jsonl/read/parse-line.ts';
import { CheckFold } from '../../../src/session/validate/check-fold.ts';
import { skimInto } from '../../../src/session/read/recognize.ts';
import { createSourceFold } from '../../../src/session/read/source-fold.ts';
import { createSummaryFold } from '../../../src/session/read/summaries/summarize-session.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures');
const STAMP = { dev: '1', ino: '1', size: 6e6, mtimeMs: 1.9e12, ctimeMs: 1, mode: 0o600 };

/** What is made of the lines of a file, of which most are cut down or taken by their bytes, or none. */
function fold<T>(path: string, bytes: Buffer, lines: LineFold<T>, cuts: boolean): T {
  const splitter = new LineSplitter((line) => lines.visit(line, parseLine(line)), {
    skim: cuts ? (...slice) => skimInto(lines, ...slice) : undefined,
  });
  splitter.push(bytes);
  splitter.end();
  return lines.finish({ path, stamp: STAMP });
}

/** Which members a fold looks at that its plan does not name, whether a line has them or not. */
function findUnnamed(bytes: Buffer, lines: LineFold<unknown>): readonly string[] {
  const unnamed = new Set<string>();
  const splitter = new LineSplitter((line) => {
    const content = parseLine(line);
    const { plan } = lines;
    if (content.kind !== 'object' || !plan) lines.visit(line, content);
    else lines.visit(line, new ScannedObject(watch(content.value, plan, unnamed)));
  });
  splitter.push(bytes);
  splitter.end();
  return [...unnamed];
}

function watch(value: JsonObject, members: Members, unnamed: Set<string>): JsonObject {
  const note = (key: string | symbol): void => {
    if (typeof key === 'string' && !Object.hasOwn(members, key)) unnamed.add(key);
  };
  return new Proxy(value, {
    has: (object, key) => {
      note(key);
      return Reflect.has(object, key);
    },
    get: (object, key) => {
      note(key);
      const part = members[String(key)];
      const own = isPair(part) ? part[1] : part;
      const found = object[String(key)];
      return own === undefined || typeof own === 'string' ? found : watchAll(found, own, unnamed);
    },
  });
}

function watchAll(
  value: JsonValue | undefined,
  members: Members,
  unnamed: Set<string>,
): JsonValue | undefined {
  if (isArray(value)) return value.map((one) => watchAll(one, members, unnamed) ?? null);
  return isObject(value) ? watch(value, members, unnamed) : value;
}

function isPair(part: Part | undefined): part is readonly ['start' | 'base64' | 'whole', Members] {
  return Array.isArray(part);
}

function listFiles(agent: string): readonly string[] {
  const folder = join(FIXTURES, agent === 'pi' ? 'recorded' : agent);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).size > 0);
}

/** All findings in a file. */
function checkLines(path: string, dialect: Dialect): LineFold<unknown> {
  const check = new CheckFold(path, dialect, 'lines', { levels: new Map(), allBranches: true });
  return {
    get plan() {
      return check.plan;
    },
    visit: (line, content) => check.visit(line, content),
    finish: (file) => check.finish(file).conclude(),
  };
}

/** All that is asked of the lines of a file. */
const FOLDS: readonly (readonly [string, (path: string, dialect: Dialect) => LineFold<unknown>])[] =
  [
    ['a summary', (_path, dialect) => createSummaryFold(dialect, 'lines', { usage: false })],
    [
      'a summary with usage',
      (_path, dialect) => createSummaryFold(dialect, 'lines', { usage: true, whole: true }),
    ],
    ['a check', checkLines],
    ['a source', (_path, dialect) => createSourceFold(dialect, 'lines', {})],
    ['an index', (_path, dialect) => dialect.reading.indexSession('lines')],
  ];

describe.each(dialects.map((dialect) => [dialect.agent, dialect] as const))(
  '%s',
  (agent, dialect) => {
    it.each(FOLDS)(
      'gives %s of lines that are cut down as of whole ones',
      async (_what, create) => {
        const unnamed = new Set<string>();
        for (const path of listFiles(agent)) {
          const bytes = readFileSync(path);
          const whole = await fold(path, bytes, create(path, dialect), false);
          const reduced = await fold(path, bytes, create(path, dialect), true);
          expect([path, reduced]).toEqual([path, whole]);
          for (const key of findUnnamed(bytes, create(path, dialect))) unnamed.add(key);
        }
        expect([...unnamed]).toEqual([]);
      },
    );
  },
);
