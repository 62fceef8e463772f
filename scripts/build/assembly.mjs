// @ts-check
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

const EXTENSION = '.base64';
const OPTIONS = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd'];
const ROOT = resolve(import.meta.dirname, '../..');
/** What all programs import from. */
const LAYOUT = join(ROOT, 'src/session/jsonl/scanner/layout.ts');
const SHARED = join(ROOT, 'src/session/jsonl/scanner/assembly');
const CACHE = join(ROOT, 'node_modules/.cache/coppice-assembly');

/**
 * WebAssembly for bundlers: `import { code } from './name.base64'` is the AssemblyScript in the folder
 * `name` beside the importing module, compiled, in base64: there is no file to be found at run time.
 *
 * @returns {import('rolldown').Plugin & import('vite').Plugin}
 */
export function assembly() {
  return {
    name: 'coppice-assembly',
    resolveId(id, importer) {
      if (!id.endsWith(EXTENSION)) return undefined;
      // Vite names what it has kept as its server would.
      if (id.startsWith('/src/')) return join(ROOT, id);
      return importer === undefined ? undefined : resolve(dirname(importer), id);
    },
    async load(id) {
      if (!id.endsWith(EXTENSION)) return undefined;
      const code = await compile(id.slice(0, -EXTENSION.length));
      return `export const code = ${JSON.stringify(code.toString('base64'))};`;
    },
  };
}

/**
 * Compiles a folder once for each state of its sources, its options and the compiler: compiling takes
 * five seconds, and every test run needs the result.
 *
 * @param {string} directory @returns {Promise<Buffer>}
 */
async function compile(directory) {
  const cached = join(CACHE, `${hashSources(directory)}.wasm`);
  const known = readOptional(cached);
  if (known !== null) return known;
  const code = await compileSources(directory);
  mkdirSync(CACHE, { recursive: true });
  const temporary = `${cached}.${randomUUID()}`;
  writeFileSync(temporary, code);
  renameSync(temporary, cached);
  return code;
}

/** @param {string} directory */
function hashSources(directory) {
  const { version } = createRequire(import.meta.url)('assemblyscript/package.json');
  const hash = createHash('sha256').update(JSON.stringify([version, OPTIONS]));
  const shared = readdirSync(SHARED).map((name) => join(SHARED, name));
  const own = readdirSync(directory).map((name) => join(directory, name));
  const layouts = new Set([LAYOUT, join(dirname(directory), 'layout.ts')]);
  for (const path of [...layouts, ...shared.toSorted(), ...own.toSorted()]) {
    hash.update(JSON.stringify([relative(ROOT, path), readFileSync(path, 'utf8')]));
  }
  return hash.digest('hex');
}

/** @param {string} directory @returns {Promise<Buffer>} */
async function compileSources(directory) {
  const { main } = await import('assemblyscript/asc');
  let code = Buffer.alloc(0);
  let complaints = '';
  const { error } = await main(
    [
      'index.ts',
      '--baseDir',
      directory,
      '--outFile',
      'out.wasm',
      '--importMemory',
      '--initialMemory',
      '80',
      ...OPTIONS,
    ],
    {
      readFile: (name, base) => readOptional(resolve(base, name))?.toString() ?? null,
      writeFile: (_name, contents) => {
        code = Buffer.from(contents);
      },
      listFiles: () => [],
      stderr: {
        write: (/** @type {string | Uint8Array} */ text) => void (complaints += String(text)),
      },
    },
  );
  if (error) throw new Error(`${directory}: ${complaints}`, { cause: error });
  return code;
}

/** @param {string} path */
function readOptional(path) {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
