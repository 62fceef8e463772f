import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
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
        test: { name: 'torture', include: ['test/torture/**/*.test.ts'], testTimeout: 900_000 },
      },
      { test: { name: 'fuzz', include: ['test/fuzz/**/*.test.ts'], testTimeout: 900_000 } },
      { test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], testTimeout: 30_000 } },
      {
        test: {
          name: 'conformance',
          include: ['test/conformance/**/*.test.ts'],
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'package',
          include: ['test/package/*.test.ts'],
          testTimeout: 120_000,
        },
      },
      { test: { name: 'duckdb', include: ['test/duckdb/**/*.test.ts'], testTimeout: 60_000 } },
    ],
  },
});
