// @ts-check
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { dropDeclarations } from './drop-declarations.mjs';
import { formatNotices } from './notices.mjs';

/**
 * Builds `dist`: declarations of the library, and all code in few files. Loading hundreds of small
 * modules took three times as long as running the shortest command.
 */
const ROOT = resolve(import.meta.dirname, '../..');
const DIST = join(ROOT, 'dist');

/** `trash` brings programs of its own for other systems, which it finds beside its code. */
const EXTERNAL = ['trash'];

rmSync(DIST, { recursive: true, force: true });
execFileSync(
  process.execPath,
  [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'],
  {
    cwd: ROOT,
    stdio: 'inherit',
  },
);
dropDeclarations(DIST, 'index.d.ts');
const bundle = await rolldown({
  cwd: ROOT,
  input: { main: 'src/main.ts', index: 'src/index.ts', thread: 'src/thread.ts' },
  platform: 'node',
  external: EXTERNAL,
  logLevel: 'warn',
});
const { output } = await bundle.write({
  dir: DIST,
  format: 'esm',
  // Names stay: they are what a report of a bug is read by.
  minify: { compress: true, mangle: false, codegen: true },
});
const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
writeFileSync(join(DIST, 'THIRD-PARTY-NOTICES.txt'), formatNotices(modules));
