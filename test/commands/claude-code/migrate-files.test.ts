import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const [SOURCE, FORK] = ['1', '2'].map((end) => `aaaaaaaa-0000-4000-8000-00000000000${end}`);
const OLD = '.claude/projects/-w-old';
const NEW = '.claude/projects/-w-new';

let home: string;

beforeEach(async () => {
  home = await makeTempDir();
});

const toLine = (fields: JsonObject): string =>
  JSON.stringify({
    uuid: 'r1',
    parentUuid: null,
    sessionId: SOURCE,
    timestamp: '2026-01-02T03:04:05.000Z',
    cwd: '/w/old',
    ...fields,
  });

const toResult = (content: string | readonly JsonObject[]): JsonObject => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content }] },
});

const toOutput = (store: string): string => join(home, store, SOURCE ?? '', 'tool-results/b1.txt');

async function migrate(...targets: readonly string[]) {
  const now = (): number => Date.parse('2127-01-01T00:00:00Z');
  const argv = ['migrate', ...targets, '--cwd', '/w/old=/w/new', '--apply', '--json'];
  const { out } = await runTest(argv, { home, cwd: home, now });
  return (JSON.parse(out) as { results: readonly Readonly<Record<string, unknown>>[] }).results;
}

async function readLine(id = SOURCE): Promise<JsonObject> {
  return JSON.parse(await readFile(join(home, NEW, `${id}.jsonl`), 'utf8')) as JsonObject;
}

it('moves the root of extensions with a worktree', async () => {
  const state = {
    type: 'worktree-state',
    worktreeSession: { originalCwd: '/w/old', extensionRoot: '/w/old' },
  };
  const text = `${toLine(toResult('Done.'))}\n${JSON.stringify(state)}\n`;
  await writeFiles(home, { [`${OLD}/${SOURCE}.jsonl`]: text });
  await migrate();
  const [, last = ''] = (await readFile(join(home, NEW, `${SOURCE}.jsonl`), 'utf8')).split('\n');
  expect(JSON.parse(last)).toMatchObject({
    worktreeSession: { originalCwd: '/w/new', extensionRoot: '/w/new' },
  });
});

const RESULTS: readonly (readonly [name: string, content: (path: string) => JsonObject])[] = [
  [
    'a long output of a server',
    (path) => toResult(`<persisted-output>\nFull output saved to: ${path}\n\nPreview`),
  ],
  [
    'a picture of a server',
    (path) => toResult([{ type: 'text', text: `[Image: source: ${path}]` }]),
  ],
];

it.each(RESULTS)('reports that %s is named at its old path', async (_, content) => {
  const line = toLine(content(toOutput(OLD)));
  await writeFiles(home, {
    [`${OLD}/${SOURCE}.jsonl`]: `${line}\n`,
    [`${OLD}/${SOURCE}/tool-results/b1.txt`]: 'long',
  });
  expect(await migrate()).toMatchObject([{ problems: [{ line: 1, code: 'path-in-text' }] }]);
  expect(await readLine()).toEqual({ ...JSON.parse(line), cwd: '/w/new' });
});

it('reports no result that names another place', async () => {
  const text = `${toOutput('.claude/projects/-w-older')} and ${join(home, OLD, 'x/tool-results/b1')}`;
  await writeFiles(home, { [`${OLD}/${SOURCE}.jsonl`]: `${toLine(toResult(text))}\n` });
  expect(await migrate()).toMatchObject([{ problems: [] }]);
});

const writeFamily = async (): Promise<void> => {
  const line = toLine({
    ...toResult(`Output is in ${toOutput(OLD)}`),
    toolUseResult: { persistedOutputPath: toOutput(OLD) },
  });
  await writeFiles(home, {
    [`${OLD}/${SOURCE}.jsonl`]: `${line}\n`,
    [`${OLD}/${SOURCE}/tool-results/b1.txt`]: 'long',
    [`${OLD}/${FORK}.jsonl`]: `${line}\n`,
  });
};

it.each([
  ['at once', [[]]],
  ['its source first', [[SOURCE], [FORK]]],
])('moves the long outputs of a fork that moves with its source: %s', async (_, runs) => {
  await writeFamily();
  const results: unknown[] = [];
  for (const targets of runs) {
    results.push(...(await migrate(...targets.flatMap((target) => target ?? []))));
  }
  const problems = [{ line: 1, code: 'path-in-text' }];
  expect(results).toMatchObject([{ problems }, { problems }]);
  const toolUseResult = { persistedOutputPath: toOutput(NEW) };
  expect(await readLine(FORK)).toMatchObject({ cwd: '/w/new', toolUseResult });
  expect(await readFile(toOutput(NEW), 'utf8')).toBe('long');
});

it('leaves the long outputs of a fork where they are if its source stays', async () => {
  await writeFamily();
  expect(await migrate(FORK ?? '')).toMatchObject([{ action: 'relocate', problems: [] }]);
  const toolUseResult = { persistedOutputPath: toOutput(OLD) };
  expect(await readLine(FORK)).toMatchObject({ cwd: '/w/new', toolUseResult });
});

it('leaves no directory behind with an empty memory, which the client makes', async () => {
  await writeFiles(home, { [`${OLD}/${SOURCE}.jsonl`]: `${toLine(toResult('Done.'))}\n` });
  await mkdir(join(home, OLD, 'memory'));
  await migrate();
  expect(await readdir(join(home, '.claude/projects'))).toEqual(['-w-new']);
});
