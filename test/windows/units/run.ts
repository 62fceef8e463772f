// Runs bundled files of unit tests in this process, and writes what came of each:
// node run.mjs <file with the modules> <file for the results>
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type File, startTests, type Task, type VitestRunner } from '@vitest/runner';
import fc from 'fast-check';
import { runs, SEED } from '../../harness/runs.ts';

/** What one file of tests came to. */
export interface FileResult {
  readonly file: string;
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly { readonly name: string; readonly message: string }[];
}

const [list = '', results = ''] = process.argv.slice(2);
/** Of each its name, and where the module is. */
const files = readFileSync(list, 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('\t'));
const home = join(tmpdir(), 'home');
mkdirSync(home, { recursive: true });
Object.assign(process.env, { HOME: home, USERPROFILE: home, TZ: 'UTC' });
fc.configureGlobal({ seed: SEED, numRuns: runs(30) });

function describe(name: string, file: File): FileResult {
  const failures: { name: string; message: string }[] = [];
  let [passed, skipped] = [0, 0];
  const visit = (task: Task): void => {
    const { state, errors = [] } = task.result ?? {};
    const messages = errors.map(({ message, stack, diff }) => [message, diff, stack].join('\n'));
    // A suite fails with one of its tests.
    const isOwn = task.type === 'test' || messages.length > 0;
    if (state === 'fail' && isOwn) failures.push({ name: task.name, message: messages.join('\n') });
    if (task.type === 'suite') for (const one of task.tasks) visit(one);
    else if (state === 'pass') passed += 1;
    else if (state !== 'fail') skipped += 1;
  };
  const messages = (file.result?.errors ?? []).map(({ message, stack }) => `${message}\n${stack}`);
  if (messages.length > 0) failures.push({ name: 'the file', message: messages.join('\n') });
  for (const task of file.tasks) visit(task);
  return { file: name, passed, skipped, failures };
}

const runner: VitestRunner = {
  pool: 'forks',
  config: {
    root: import.meta.dirname,
    setupFiles: [],
    name: undefined,
    passWithNoTests: false,
    testNamePattern: undefined,
    allowOnly: true,
    sequence: { shuffle: false, concurrent: false, seed: 1, hooks: 'stack', setupFiles: 'list' },
    chaiConfig: undefined,
    maxConcurrency: 5,
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    retry: 0,
    includeTaskLocation: false,
    tags: [],
    tagsFilter: undefined,
    strictTags: false,
  },
  importFile: (path) => import(pathToFileURL(path).href),
};

for (const [name = '', path = ''] of files) {
  const [result] = await startTests([path], runner);
  if (result) appendFileSync(results, `${JSON.stringify(describe(name, result))}\n`);
}
// What a test has left open must not hold the others up.
process.exit(0);
