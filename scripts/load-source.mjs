// @ts-check
import { rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { assembly } from './build/assembly.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/**
 * A module of src/ as it is now, which Node 20 cannot read itself. What it loads only when it is
 * needed has to be called for inside `use`.
 * @template T
 * @param {string} path @param {(module: any) => Promise<T>} use @returns {Promise<T>}
 */
export async function withSource(path, use) {
  // Where dist/ is, too: packages are found, and so is package.json.
  const directory = `${ROOT}.tmp-source-${process.pid}/`;
  const bundle = await rolldown({
    input: { source: ROOT + path },
    platform: 'node',
    external: ['trash'],
    plugins: [assembly()],
    logLevel: 'warn',
  });
  try {
    await bundle.write({ dir: directory, format: 'esm' });
    // Node keeps what it has imported from a URL, and several modules may be asked for.
    const { href } = pathToFileURL(`${directory}source.js`);
    return await use(await import(`${href}?${path}`));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
