import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { assembly } from './scripts/build/assembly.mjs';
import { plainYargs } from './scripts/build/plain-yargs.mjs';
import { EFFORT } from './test/harness/runs.ts';

/** Elsewhere where the working tree can only be read. */
const CACHE = resolve(process.env['COPPICE_TEST_CACHE'] ?? 'node_modules/.cache/coppice-tests');
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

/** In a world of its own: see `test/harness/world.ts`. */
const SEALED = {
  globalSetup: 'test/harness/world.ts',
  setupFiles: 'test/harness/set-up.ts',
};

/** And with the program as its sources are now. */
const BUILT = { ...SEALED, globalSetup: ['test/harness/world.ts', 'test/harness/built.ts'] };

/** One process for many files: to load all modules for each took longer than to run the tests. */
const SHARED = { pool: 'forks', isolate: false } as const;

/** What others may send us, in every command and format: a suite of its own, since it takes long. */
const HOSTILE = [
  'test/commands/hostile/**/*.test.ts',
  'test/store/archive/hostile.test.ts',
  'test/export/redact/{everywhere,false-positives,linear-work}.test.ts',
  'test/lint/linear-patterns.test.ts',
];

/** Whole programs around coppice: shells, threads and signals, pipes, schedulers, releases, every schema. */
const SYSTEM = [
  'test/e2e/{completion,docs-shell,fleet-manifests,folding,github-action,man-pages,neovate,process-edge,prune,release,threads,unattended,without-web-assembly}.test.ts',
  'test/schemas/output.test.ts',
  'test/commands/shared/shards-joined.test.ts',
];

/** These put modules of their own in the place of others, which lasts for a process. */
const ALONE = [
  'test/batch/run-on-threads.test.ts',
  'test/commands/export/export-record.test.ts',
  'test/session/jsonl/files/keep-owner.test.ts',
];

const UNIT = {
  ...SEALED,
  setupFiles: [SEALED.setupFiles, 'test/harness/fenced.ts'],
  testTimeout: 60_000 * Math.max(1, EFFORT),
};

export default defineConfig({
  cacheDir: CACHE,
  plugins: [assembly(), plainYargs],
  test: {
    // One more than cores: tests wait for the programs that they start.
    maxWorkers: availableParallelism() + 1,
    experimental: { fsModuleCache: true, fsModuleCachePath: join(CACHE, 'modules') },
    // Through the plugins, as in the build.
    server: { deps: { inline: ['yargs', 'cliui', 'wrap-ansi'] } },
    projects: [
      {
        extends: true,
        test: {
          ...UNIT,
          ...SHARED,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...SUITES.map((name) => `test/${name}/**`), ...ALONE, ...HOSTILE, ...SYSTEM],
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
        test: {
          ...BUILT,
          ...SHARED,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          exclude: SYSTEM,
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: { ...BUILT, ...SHARED, name: 'system', include: SYSTEM, testTimeout: 60_000 },
      },
      {
        extends: true,
        test: {
          ...BUILT,
          name: 'torture',
          include: ['test/torture/**/*.test.ts'],
          testTimeout: 900_000,
        },
      },
      {
        extends: true,
        test: {
          ...SEALED,
          name: 'fuzz',
          include: ['test/fuzz/**/*.test.ts'],
          testTimeout: 900_000,
        },
      },
      {
        extends: true,
        test: {
          ...BUILT,
          name: 'conformance',
          include: ['test/conformance/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'test/conformance/{claude-code,codex}/**'],
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          ...SEALED,
          name: 'conformance-codex',
          include: ['test/conformance/codex/*.test.ts'],
          testTimeout: 300_000,
          // Each is a process of the client, which takes a core for a second.
          maxConcurrency: 3,
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
          // A run takes a second, and waits for all that were asked for before it.
          testTimeout: 900_000,
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
          testTimeout: 300_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Outside of the world of the others: it installs packages as the machine does.
        extends: true,
        test: {
          globalSetup: 'test/harness/built.ts',
          name: 'package',
          include: ['test/package/*.test.ts'],
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          ...SEALED,
          globalSetup: [...BUILT.globalSetup, 'test/windows/prefix.ts'],
          name: 'windows',
          include: ['test/windows/**/*.test.ts'],
          testTimeout: 600_000,
        },
      },
      {
        extends: true,
        test: {
          ...SEALED,
          globalSetup: [...BUILT.globalSetup, 'test/fleet/cluster.ts'],
          name: 'fleet',
          include: ['test/fleet/**/*.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 3_600_000,
        },
      },
      {
        extends: true,
        test: {
          ...SEALED,
          name: 'duckdb',
          include: ['test/duckdb/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
