// @ts-check
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { main } from 'assemblyscript/asc';

const EXTENSION = '.base64';

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
      if (!id.endsWith(EXTENSION) || importer === undefined) return undefined;
      return resolve(dirname(importer), id);
    },
    async load(id) {
      if (!id.endsWith(EXTENSION)) return undefined;
      const code = await compile(id.slice(0, -EXTENSION.length));
      return `export const code = ${JSON.stringify(code.toString('base64'))};`;
    },
  };
}

/** @param {string} directory @returns {Promise<Buffer>} */
async function compile(directory) {
  let code = Buffer.alloc(0);
  const options = ['-O3', '--converge', '--noAssert', '--runtime', 'stub', '--enable', 'simd'];
  let complaints = '';
  const { error } = await main(
    [
      'index.ts',
      '--baseDir',
      directory,
      '--outFile',
      'out.wasm',
      '--initialMemory',
      '32',
      ...options,
    ],
    {
      readFile: (name, base) => readOptional(resolve(base, name)),
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
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
