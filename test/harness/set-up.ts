import { join } from 'node:path';
import fc from 'fast-check';
import { runs, SEED } from './runs.ts';

/** What a test may see of the environment of the person who runs it, and what Vitest has put there. */
const KEPT =
  /^(PATH|HOME|TMPDIR|TZ|LANG|CHROMIUM|NODE_\w+|VITE\w*|TEST|DEV|PROD|MODE|SSR|BASE_URL|COPPICE_\w+)$/;

for (const name of Object.keys(process.env)) {
  if (!KEPT.test(name)) delete process.env[name];
}
const world = process.env['COPPICE_TEST_WORLD'] ?? '';
process.chdir(join(world, 'cwd'));
// Where others may read a file, each rewriting asks a program who may: see `access-lists.ts`.
process.umask(0o077);

fc.configureGlobal({ seed: SEED, numRuns: runs(30) });
