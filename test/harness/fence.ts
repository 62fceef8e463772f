import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ON_PATHS = 'access lstat open opendir readdir readFile readlink realpath stat statfs'.split(
  ' ',
);

type Call = (...args: unknown[]) => unknown;

/**
 * Lets nothing exist outside of these directories, as far as this process can see: a project that
 * a session names may happen to be on the machine of the person who runs the tests.
 */
export function fenceIn(inside: readonly string[]): void {
  const above = new Set(inside.flatMap((path) => listAbove(path)));
  const isOutside = (place: unknown): boolean => {
    if (typeof place !== 'string' && !(place instanceof URL)) return false;
    const path = resolve(place instanceof URL ? fileURLToPath(place) : place);
    return !above.has(path) && !inside.some((one) => path === one || path.startsWith(`${one}/`));
  };
  const makeError = (name: string, place: unknown): Error => {
    const message = `ENOENT: no such file or directory, ${name} '${String(place)}'`;
    return Object.assign(new Error(message), { code: 'ENOENT', errno: -2, syscall: name });
  };
  const replace = (
    owner: object,
    key: string,
    refuse: (args: readonly unknown[]) => unknown,
  ): void => {
    const original: unknown = Reflect.get(owner, key);
    if (typeof original !== 'function') return;
    const fenced: Call = (...args) =>
      isOutside(args[0]) ? refuse(args) : Reflect.apply(original, owner, args);
    // Some have properties, such as `realpath.native`.
    Reflect.set(owner, key, Object.assign(fenced, original));
  };
  for (const name of ON_PATHS) {
    replace(fs, `${name}Sync`, ([place, options]) => {
      if (
        typeof options === 'object' &&
        options !== null &&
        Reflect.get(options, 'throwIfNoEntry') === false
      )
        return undefined;
      throw makeError(name, place);
    });
    replace(fs.promises, name, ([place]) => Promise.reject(makeError(name, place)));
  }
  replace(fs, 'existsSync', () => false);
  syncBuiltinESMExports();
}

function listAbove(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [...listAbove(parent), path];
}
