import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import glob from 'fast-glob';
import { rolldown } from 'rolldown';
import type { Plugin } from 'vitest/config';
import { assembly } from '../../scripts/build/assembly.mjs';
import { keep } from '../../scripts/build/keep.mjs';
import { plainYargs } from '../../scripts/build/plain-yargs.mjs';
import { CACHE } from './cache.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SRC = join(ROOT, 'src');
const COMPILED = join(CACHE, 'compiled');
/** Their code goes through our plugins, as in the build. */
const INLINED = /^(?:yargs|cliui|wrap-ansi)(?:$|\/)/;

/**
 * Compiles each module of `src` into one that Node loads itself. Vite would transform one at a time, and
 * load each through a runner of its own in each process, which took as long as a fifth of the tests. For one file of tests, that is sooner done.
 */
export async function setup(): Promise<void> {
  await keep({
    directory: COMPILED,
    state: `${COMPILED}.state`,
    sources: ['src', 'scripts/build', 'test/harness/compiled.ts', 'package-lock.json'],
    make: compile,
  });
}

/** Sends imports of `src` to what `setup` has made. Mocks do not reach these modules. */
export const compiled: Plugin = {
  name: 'coppice-compiled',
  enforce: 'pre',
  resolveId(source, importer) {
    if (importer === undefined || !source.endsWith('.ts')) return undefined;
    const path = resolve(dirname(importer), source);
    if (!path.startsWith(SRC + sep)) return undefined;
    return { id: join(COMPILED, relative(ROOT, path).replace(/ts$/, 'mjs')), external: true };
  },
};

async function compile(to: string): Promise<void> {
  mkdirSync(to);
  // Modules find these from their own place.
  for (const name of ['node_modules', 'package.json', 'schemas', 'docs'])
    symlinkSync(join(ROOT, name), join(to, name));
  const built = await rolldown({
    cwd: ROOT,
    input: glob.sync(['src/**/*.ts', '!src/**/assembly/**', '!**/*.d.*'], { cwd: ROOT }),
    platform: 'node',
    external: (id, importer) =>
      /^[\w@]/.test(id) && !INLINED.test(id) && !importer?.includes('node_modules'),
    plugins: [assembly(), plainYargs],
    logLevel: 'warn',
  });
  await built.write({
    dir: join(to, 'src'),
    entryFileNames: '[name].mjs',
    preserveModules: true,
    preserveModulesRoot: SRC,
    sourcemap: 'inline',
  });
}
