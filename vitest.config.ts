import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { assembly } from './scripts/build/assembly.mjs';

export default defineConfig({
  plugins: [assembly()],
  test: {
    // Vitest would leave one core idle, which is half of a machine with two.
    maxWorkers: availableParallelism(),
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['e2e', 'conformance', 'torture', 'fuzz', 'browser', 'duckdb', 'package'].map(
            (name) => `test/${name}/**`,
          ),
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: { name: 'torture', include: ['test/torture/**/*.test.ts'], testTimeout: 900_000 },
      },
      {
        extends: true,
        test: { name: 'fuzz', include: ['test/fuzz/**/*.test.ts'], testTimeout: 900_000 },
      },
      {
        extends: true,
        test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], testTimeout: 30_000 },
      },
      {
        extends: true,
        test: {
          name: 'conformance',
          include: ['test/conformance/**/*.test.ts'],
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'package',
          include: ['test/package/*.test.ts'],
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: { name: 'duckdb', include: ['test/duckdb/**/*.test.ts'], testTimeout: 60_000 },
      },
    ],
  },
});
