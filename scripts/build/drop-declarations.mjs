// @ts-check
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IMPORT = /(?:from|import\()\s*'(\.[^']+)'/g;

/** A type that leads to many others, such as one of a command, shows here. */
const MAX_DECLARATIONS = 150;

/**
 * Takes out the declarations that the types of the library do not lead to, and directories that are
 * empty then: most of the code is nobody's to import.
 * @param {string} dist @param {string} entry
 */
export function dropDeclarations(dist, entry) {
  const needed = findNeeded(join(dist, entry));
  if (needed.size > MAX_DECLARATIONS) {
    const count = `${needed.size} files, more than ${MAX_DECLARATIONS}`;
    throw new Error(`the types of the library lead to ${count}: see what a new export leads to`);
  }
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const path = join(dist, name);
    if (name.endsWith('.d.ts') && !needed.has(path)) rmSync(path);
  }
  const directories = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((item) => item.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name));
  // The innermost first.
  for (const path of directories.toSorted((a, b) => b.length - a.length)) {
    if (readdirSync(path).length === 0) rmSync(path, { recursive: true });
  }
}

/** @param {string} entry */
function findNeeded(entry) {
  const needed = new Set([entry]);
  for (const path of needed) {
    for (const [, target = ''] of readFileSync(path, 'utf8').matchAll(IMPORT)) {
      const found = join(dirname(path), target.replace(/\.(js|ts)$/, '.d.ts'));
      if (existsSync(found)) needed.add(found);
    }
  }
  return needed;
}
