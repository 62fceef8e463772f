// @ts-check
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { dropDeclarations } from './drop-declarations.mjs';
import { assembly } from './assembly.mjs';
import { writeHelpPages } from './help-pages.mjs';
import { formatNotices } from './notices.mjs';
import { plainFields } from './plain-fields.mjs';
import { widthOfHelp } from './width-of-help.mjs';

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
/**
 * The program goes into CommonJS modules, since Node takes 10 ms longer to begin with others, and
 * again in each thread; the library into what its users import.
 *
 * @param {Record<string, string>} input
 * @param {'cjs' | 'es'} format
 * @param {string} extension
 */
async function bundle(input, format, extension) {
  const built = await rolldown({
    cwd: ROOT,
    input,
    platform: 'node',
    external: EXTERNAL,
    plugins: [assembly(), plainFields, widthOfHelp],
    logLevel: 'warn',
    // yargs looks there for files that configurations extend; ours extend none.
    transform: { define: { 'import.meta.resolve': 'undefined' } },
  });
  const { output } = await built.write({
    dir: DIST,
    format,
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `[name]-[hash].${extension}`,
    // Names stay: they are what a report of a bug is read by.
    minify: { compress: true, mangle: false, codegen: true },
  });
  return output;
}

const output = [
  ...(await bundle({ main: 'src/main.ts', thread: 'src/thread.ts' }, 'cjs', 'cjs')),
  ...(await bundle({ index: 'src/index.ts' }, 'es', 'js')),
];
const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
writeFileSync(join(DIST, 'THIRD-PARTY-NOTICES.txt'), formatNotices(modules));
await writeHelpPages(join(ROOT, 'bin/coppice.js'), DIST);
