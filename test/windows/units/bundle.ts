import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { assembly } from '../../../scripts/build/assembly.mjs';
import { toWindowsPath } from '../node-exe.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** Where packages are found from. */
const OUT = join(ROOT, 'node_modules/.cache/coppice-windows');

/** Bundles files of tests, by their paths below `test`, for node.exe; returns the runner. */
export async function bundle(files: readonly string[]): Promise<string> {
  const entries = files.map((file) => [file.replace(/\.ts$/, ''), join(ROOT, 'test', file)]);
  const build = await rolldown({
    input: { ...Object.fromEntries(entries), run: join(import.meta.dirname, 'run.ts') },
    platform: 'node',
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && id !== 'vitest',
    resolve: { alias: { vitest: join(import.meta.dirname, 'vitest.ts') } },
    plugins: [assembly(), places],
    logLevel: 'silent',
  });
  await build.write({ dir: OUT, format: 'esm', entryFileNames: '[name].mjs', sourcemap: false });
  await build.close();
  return join(OUT, 'run.mjs');
}

/** Where the bundle of a file is. */
export function toBundle(file: string): string {
  return join(OUT, file.replace(/\.ts$/, '.mjs'));
}

/** Modules go on to find what lies beside their sources, by the paths that Windows has for them. */
const places = {
  name: 'coppice-places',
  transform(code: string, id: string): string | undefined {
    if (!code.includes('import.meta.') || relative(ROOT, id).startsWith('node_modules'))
      return undefined;
    const url = pathToFileURL(id).href.replace('file:///', 'file:///Z:/');
    return code
      .replaceAll('import.meta.url', JSON.stringify(url))
      .replaceAll('import.meta.dirname', JSON.stringify(toWindowsPath(join(id, '..'))))
      .replaceAll('import.meta.filename', JSON.stringify(toWindowsPath(id)));
  },
};
