// @ts-check
import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { dropDeclarations } from './drop-declarations.mjs';
import { assembly } from './assembly.mjs';
import { writeHelpPages } from './help-pages.mjs';
import { formatNotices } from './notices.mjs';
import { plainFields } from './plain-fields.mjs';
import { plainYargs } from './plain-yargs.mjs';

const ROOT = resolve(import.meta.dirname, '../..');

/** They bring programs of their own, which they find beside their code. */
const EXTERNAL = ['trash', 'node-sqlite3-wasm'];

/**
 * Makes what the package ships, in a folder beside `src`: declarations of the library, and all code in
 * few files. Loading hundreds of small modules took three times as long as running the shortest command.
 *
 * @param {string} dist
 */
export async function makeDist(dist) {
  const [output] = await Promise.all([writeCode(dist), writeDeclarations(dist)]);
  const modules = output.flatMap(({ moduleIds }) => moduleIds);
  writeFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), formatNotices(modules));
  await writeHelpPages(dist);
}

/**
 * The program and the library share their code. It goes into CommonJS modules, since Node takes 10 ms
 * longer to begin with others, and again in each thread.
 *
 * @param {string} dist
 */
async function writeCode(dist) {
  const output = await bundle(dist, {
    main: 'src/cli/main.ts',
    thread: 'src/commands/thread.ts',
    library: 'src/index.ts',
  });
  writeFileSync(join(dist, 'index.js'), formatEntry(output));
  return output;
}

/**
 * A module that names what the library exports. Node would otherwise have to guess the names from the
 * text of a CommonJS module, and offers only those that it finds.
 *
 * @param {readonly import('rolldown').OutputChunk[]} output
 */
function formatEntry(output) {
  const library = output.find(({ name, isEntry }) => isEntry && name === 'library');
  if (library === undefined) throw new Error('the library was not made');
  const { fileName, exports } = library;
  return `import library from './${fileName}';\nexport const { ${exports.join(', ')} } = library;\n`;
}

/**
 * The types of the library; `npm run types` checks all of them.
 *
 * @param {string} dist
 */
async function writeDeclarations(dist) {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const args = [compiler, '-p', 'tsconfig.build.json', '--outDir', dist];
  try {
    await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  } catch (error) {
    // The compiler says on standard output where it failed.
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    throw new Error(`the declarations could not be made\n${output}`, { cause: error });
  }
  dropDeclarations(dist, 'index.d.ts');
}

/**
 * @param {string} dir
 * @param {Record<string, string>} input
 */
async function bundle(dir, input) {
  const built = await rolldown({
    cwd: ROOT,
    input,
    platform: 'node',
    external: EXTERNAL,
    plugins: [assembly(), plainFields, plainYargs],
    logLevel: 'warn',
    // yargs looks there for files that configurations extend; ours extend none.
    transform: { define: { 'import.meta.resolve': 'undefined' } },
  });
  const { output } = await built.write({
    dir,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    sourcemap: true,
    // Names of functions stay: they are what a report of a bug is read by.
    minify: { compress: true, mangle: { toplevel: false }, codegen: true },
  });
  const chunks = output.filter((file) => file.type === 'chunk');
  for (const { fileName, moduleIds, sourcemapFileName } of chunks) {
    if (!sourcemapFileName) continue;
    const path = join(dir, fileName);
    if (moduleIds.every((id) => id.includes('node_modules'))) dropMap(path);
    else dropSources(`${path}.map`);
  }
  return chunks;
}

/**
 * A stack trace needs the lines of our sources, and not the sources themselves, which would make the
 * package twice as large.
 *
 * @param {string} path
 */
function dropSources(path) {
  const { sourcesContent: _, ...map } = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify(map));
}

/**
 * Code of other packages alone is found by the names of its functions.
 *
 * @param {string} path
 */
function dropMap(path) {
  const code = readFileSync(path, 'utf8');
  writeFileSync(path, code.replace(/\/\/# sourceMappingURL=.*\n?$/, ''));
  rmSync(`${path}.map`);
}
