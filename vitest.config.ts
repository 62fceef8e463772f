import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { assembly } from './scripts/build/assembly.mjs';
import { plainYargs } from './scripts/build/plain-yargs.mjs';
import { CACHE } from './test/harness/cache.ts';
import { compiled } from './test/harness/compiled.ts';

const SUITES = [
  'e2e',
  'conformance',
  'torture',
  'fuzz',
  'browser',
  'duckdb',
  'package',
  'windows',
  'fleet',
];

/**
 * Ends a test that would hang for ever. No test is red because it took long: what must be quick is
 * counted, and a busy machine takes any time.
 */
const HANG_MS = process.env['COPPICE_LONG'] === '1' ? 36_000_000 : 1_800_000;

/** In a world of its own: see `test/harness/world.ts`. */
const SEALED = {
  globalSetup: 'test/harness/world.ts',
  setupFiles: 'test/harness/set-up.ts',
};

/** And with the program as its sources are now. */
const BUILT = { ...SEALED, globalSetup: ['test/harness/world.ts', 'test/harness/built.ts'] };

/** For whole suites, with the modules of `src` as JavaScript. */
const COMPILED =
  process.env['COPPICE_COMPILED'] === '1'
    ? { plugins: [compiled], globalSetup: ['test/harness/compiled.ts'] }
    : { plugins: [], globalSetup: [] };

/**
 * One process for many files: to load all modules for each took longer than to run the tests. What lives
 * as long as one test does not outlive a collection of garbage.
 */
const SHARED = {
  pool: 'forks' as const,
  isolate: false,
  execArgv: ['--max-semi-space-size=32'],
};

/** What others may send us, in every command and format: a suite of its own, since it takes long. */
const HOSTILE = [
  'test/commands/hostile/**/*.test.ts',
  'test/store/archive/hostile.test.ts',
  'test/commands/prune/prune-foreign.test.ts',
  'test/export/redact/{claude-code,columns,dumps,everywhere,false-positives,families,forms,growing-agents,linear-work,long-texts,neovate,outputs,program-forms,quotes-within,whole-values}.test.ts',
  'test/lint/linear-patterns.test.ts',
];

/**
 * Whole programs around coppice: shells, threads and signals, pipes, schedulers, releases, every schema. And
 * sessions as large as the limits of agents.
 */
const SYSTEM = [
  'test/e2e/{completion,docs-shell,fleet-manifests,folding,github-action,library,man-pages,memory,neovate,process-edge,prune,release,threads,unattended,without-web-assembly}.test.ts',
  'test/schemas/*.test.ts',
  'test/commands/claude-code/growth.test.ts',
  'test/commands/export/archive.test.ts',
  'test/commands/{fork/large-whole,migrate/large-session}.test.ts',
  'test/session/agents/claude-code/long-path.test.ts',
  'test/commands/shared/shards-joined.test.ts',
];

/** Three agents: their formats, the commands over whole homes of theirs, and what `prune` removes with a session. */
const HOMES = [
  'test/{commands,session/agents}/{claude-code,codex,neovate}/**/*.test.ts',
  'test/commands/prune/prune-{archive,archive-selectors,around,beside,claude-code,copies,facts,history,in-archive,linked-homes,linked-stores,odd-names,oh-my-pi,orphans,pins,restore-twins,second-places,shared-pins,tasks,two-agents,unread}.test.ts',
  'test/commands/shared/{facts-agree,huge-numbers}.test.ts',
  'test/session/agents/reduced.test.ts',
  'test/store/prune/prompt-history.test.ts',
];

/** These change what lasts for a process: its modules, what it knows of the machine. */
const ALONE = [
  'test/batch/run-on-threads.test.ts',
  'test/session/jsonl/files/{access-lists,keep-access,keep-owner}.test.ts',
  'test/store/files/short-reads.test.ts',
];

const UNIT = {
  ...SEALED,
  globalSetup: [SEALED.globalSetup, ...COMPILED.globalSetup],
  setupFiles: [SEALED.setupFiles, 'test/harness/fenced.ts'],
};

export default defineConfig({
  cacheDir: CACHE,
  plugins: [assembly(), plainYargs],
  test: {
    // One more than cores: tests wait for the programs that they start.
    maxWorkers: availableParallelism() + 1,
    testTimeout: HANG_MS,
    hookTimeout: HANG_MS,
    experimental: { fsModuleCache: true, fsModuleCachePath: join(CACHE, 'modules') },
    // Through the plugins, as in the build.
    server: { deps: { inline: ['yargs', 'cliui', 'wrap-ansi'], external: [/\/compiled\/src\//] } },
    projects: [
      {
        extends: true,
        plugins: COMPILED.plugins,
        test: {
          ...UNIT,
          ...SHARED,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: SUITES.map((name) => `test/${name}/**`).concat(ALONE, HOSTILE, HOMES, SYSTEM),
        },
      },
      {
        extends: true,
        plugins: COMPILED.plugins,
        test: {
          ...UNIT,
          ...SHARED,
          setupFiles: [...UNIT.setupFiles, 'test/harness/sqlite.ts'],
          name: 'homes',
          include: HOMES,
          exclude: SYSTEM,
        },
      },
      {
        extends: true,
        test: { ...UNIT, name: 'alone', include: ALONE },
      },
      {
        extends: true,
        test: { ...UNIT, ...SHARED, name: 'hostile', include: HOSTILE },
      },
      {
        extends: true,
        plugins: COMPILED.plugins,
        test: {
          ...BUILT,
          ...SHARED,
          globalSetup: [...BUILT.globalSetup, ...COMPILED.globalSetup],
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          exclude: SYSTEM,
        },
      },
      {
        extends: true,
        test: { ...BUILT, ...SHARED, name: 'system', include: SYSTEM },
      },
      {
        extends: true,
        test: {
          ...BUILT,
          name: 'torture',
          include: ['test/torture/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          ...SEALED,
          name: 'fuzz',
          include: ['test/fuzz/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          ...BUILT,
          name: 'conformance',
          include: ['test/conformance/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'test/conformance/{claude-code,codex,oh-my-pi}/**'],
        },
      },
      {
        extends: true,
        test: {
          ...SEALED,
          name: 'conformance-codex',
          include: ['test/conformance/codex/*.test.ts'],
          // Each is a process of the client, which takes a core for a second.
          maxConcurrency: 3,
        },
      },
      {
        extends: true,
        test: {
          ...SEALED,
          name: 'conformance-oh-my-pi',
          include: ['test/conformance/oh-my-pi/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          ...BUILT,
          // One process, in which no file is asked about twice.
          ...SHARED,
          fileParallelism: false,
          name: 'conformance-claude-code',
          include: ['test/conformance/claude-code/*.test.ts'],
          // What runs side by side, the stand-in decides.
          maxConcurrency: 1000,
        },
      },
      {
        extends: true,
        test: {
          ...SEALED,
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
        },
      },
      {
        // Outside of the world of the others: it installs packages as the machine does.
        extends: true,
        test: {
          globalSetup: 'test/harness/built.ts',
          name: 'package',
          include: ['test/package/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          ...SEALED,
          globalSetup: [...BUILT.globalSetup, 'test/windows/prefix.ts'],
          name: 'windows',
          include: ['test/windows/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          ...SEALED,
          globalSetup: [...BUILT.globalSetup, 'test/fleet/cluster.ts'],
          name: 'fleet',
          include: ['test/fleet/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          ...SEALED,
          name: 'duckdb',
          include: ['test/duckdb/**/*.test.ts'],
        },
      },
    ],
  },
});
