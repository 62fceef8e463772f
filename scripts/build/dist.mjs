// @ts-check
import { join, resolve } from 'node:path';
import { keep } from './keep.mjs';

const ROOT = resolve(import.meta.dirname, '../..');

/** @param {{ isForced?: boolean }} [options] */
export function build(options) {
  return keep(
    {
      directory: join(ROOT, 'dist'),
      state: join(ROOT, 'node_modules/.cache/coppice-build/state'),
      sources: ['src', 'scripts/build', 'package.json', 'package-lock.json', 'tsconfig.json'],
      // To load what makes it takes longer than to see that it is fresh.
      make: async (to) => (await import('./make-dist.mjs')).makeDist(to),
    },
    options,
  );
}
