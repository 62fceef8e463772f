import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runScript, toWindowsPath } from './node-exe.ts';
import { bundle, toBundle } from './units/bundle.ts';
import { EXCLUSIONS, FOLDER_EXCLUSIONS } from './units/exclusions.ts';
import type { FileResult } from './units/run.ts';

const TESTS = resolve(import.meta.dirname, '..');
/** Those that touch files, paths and processes; same-results.test.ts runs the commands. */
const FOLDERS = [
  'cli',
  'library',
  'session/compact',
  'session/fork',
  'session/jsonl',
  'session/migrate',
  'session/model',
  'session/prune',
  'session/reduce',
  'session/validate',
  'store',
];

/** What they are made of, and suites of their own. */
const OTHERS: ReadonlySet<string> = new Set(
  'fixtures harness session browser conformance duckdb e2e fleet fuzz package torture windows'.split(
    ' ',
  ),
);

const excluded = EXCLUSIONS.flatMap(({ tests }) => tests);
const whole = new Set(excluded.flatMap(([file, ...names]) => (names.length === 0 ? [file] : [])));

const files = FOLDERS.flatMap((folder) => {
  const found = readdirSync(join(TESTS, folder), { recursive: true, encoding: 'utf8' });
  return found.filter((name) => name.endsWith('.test.ts')).map((name) => `${folder}/${name}`);
}).filter((file) => !whole.has(file));

function isExcluded(file: string, name: string): boolean {
  return excluded.some(([one, ...names]) => {
    return one === file && names.some((begin) => name.startsWith(begin));
  });
}

/** Kept until all have ended: of tests side by side, each would remove what the last has made. */
const work = mkdtempSync(join(tmpdir(), 'coppice-units-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

async function runUnits(some: readonly string[]): Promise<readonly FileResult[]> {
  const dir = mkdtempSync(join(work, 'half-'));
  const [list, results] = [join(dir, 'list'), join(dir, 'results')];
  writeFileSync(list, some.map((file) => `${file}\t${toWindowsPath(toBundle(file))}\n`).join(''));
  const args = [list, results].map(toWindowsPath);
  const { code, err } = await runScript(SCRIPT, args, { cwd: dir, home: dir });
  expect({ code, err }).toEqual({ code: 0, err });
  const lines = readFileSync(results, 'utf8').trim().split('\n');
  return lines.map((line): FileResult => JSON.parse(line));
}

const SCRIPT = await bundle(files);
/** Each in a process of its own, side by side. */
const HALVES = [0, 1].map((half) => files.filter((_, index) => index % 2 === half));

it('runs every folder of unit tests, or says why not', () => {
  const listFolders = (below: string): readonly string[] =>
    readdirSync(join(TESTS, below), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(below, name));
  const folders = ['', 'session'].flatMap(listFolders).filter((one) => !OTHERS.has(one));
  const left = FOLDER_EXCLUSIONS.flatMap((one) => one.folders);
  expect(folders.toSorted()).toEqual([...FOLDERS, ...left].toSorted());
});

it.concurrent.each(HALVES)('unit tests pass under node.exe: %s and others', async (...half) => {
  const results = await runUnits(half);
  expect(results.map(({ file }) => file)).toEqual(half);
  const failures = results.flatMap(({ file, failures: found }) => {
    return found.filter(({ name }) => !isExcluded(file, name)).map((one) => ({ file, ...one }));
  });
  expect(failures).toEqual([]);
  expect(results.reduce((sum, { passed }) => sum + passed, 0)).toBeGreaterThan(100);
});
