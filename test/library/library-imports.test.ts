import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));
/** Imports that are there when the program runs; those of types only are not. */
const IMPORT = /^(?:import|export) (?!type\b)[^;]*?from '([^']+)';|^import '([^']+)';/gm;

/** Everything that is loaded with a module: our files, and the packages. */
function collect(entry: string): { files: Set<string>; packages: Set<string> } {
  const [files, packages] = [new Set<string>(), new Set<string>()];
  const pending = [entry];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    for (const [, from, bare] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const name = from ?? bare ?? '';
      // What the build makes of another language imports nothing.
      if (name.endsWith('.base64')) continue;
      if (name.startsWith('.')) pending.push(resolve(dirname(file), name));
      else if (!name.startsWith('node:')) packages.add(name);
    }
  }
  return { files, packages };
}

describe('the library', () => {
  it('loads neither the commands nor what only they need', () => {
    const { files, packages } = collect(resolve(SRC, 'index.ts'));
    const folders = new Set([...files].map((file) => relative(SRC, file).split('/')[0]));
    for (const folder of ['commands', 'report', 'cli']) {
      expect(folders).not.toContain(folder);
    }
    for (const name of ['yargs', 'chalk', 'cli-progress', 'leven']) {
      expect(packages).not.toContain(name);
    }
    expect(files.size).toBeGreaterThan(50);
  });

  it('would be seen to load them', () => {
    expect(collect(resolve(SRC, 'cli/run-cli.ts')).packages).toContain('yargs');
  });
});
