import { resolve } from 'node:path';

/** What runs of the tests keep for the next one; elsewhere where the working tree can only be read. */
export const CACHE = resolve(
  process.env['COPPICE_TEST_CACHE'] ?? 'node_modules/.cache/coppice-tests',
);
