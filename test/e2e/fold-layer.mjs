// @ts-check
// A layer over Node's file system that makes it one of macOS: names that differ only in case, or in how an
// accent is written, are one name, which keeps the spelling that it was made with. To be loaded first:
// COPPICE_FOLD=<directory> node --import fold-layer.mjs bin/coppice.js
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join, relative, resolve, sep } from 'node:path';

// What goes by `/proc` on Linux goes by paths there.
Object.defineProperty(process, 'platform', { value: 'darwin' });
const ROOT = process.env['COPPICE_FOLD'] ?? '';
const ON_PATHS =
  'access appendFile chmod copyFile lstat lutimes mkdir open opendir readFile readdir readlink ' +
  'rename rm rmdir stat statfs truncate unlink utimes writeFile link existsSync createReadStream';
const readNames = fs.readdirSync;

/** @param {string} name */
const fold = (name) => name.normalize('NFC').toLowerCase();

/** The path as it is spelled on the disk, as far as it is there. @param {unknown} given */
function spell(given) {
  if (typeof given !== 'string' || !given.startsWith(ROOT + sep)) return given;
  let path = ROOT;
  for (const name of relative(ROOT, given).split(sep)) path = join(path, findName(path, name));
  return path;
}

/** @param {string} directory @param {string} name */
function findName(directory, name) {
  try {
    const names = readNames(directory);
    return names.includes(name) ? name : (names.find((one) => fold(one) === fold(name)) ?? name);
  } catch {
    return name;
  }
}

/** @param {any} owner @param {string} key */
function patch(owner, key) {
  const original = owner[key];
  if (typeof original !== 'function') return;
  const isPair = /^(?:rename|link|copyFile)/.test(key);
  owner[key] = (/** @type {any[]} */ ...args) => {
    // A file may get another spelling of its own name.
    const isSame = spell(args[0]) === spell(args[1]);
    const to = isPair && !(key.startsWith('rename') && isSame) ? spell(args[1]) : args[1];
    return original(spell(args[0]), to, ...args.slice(2));
  };
  Object.assign(owner[key], original);
}

for (const name of ON_PATHS.split(' ')) {
  for (const owner of [fs, fs.promises]) {
    patch(owner, name);
    if (!name.endsWith('Sync')) patch(owner, `${name}Sync`);
  }
}
// The system knows how names are spelled; what Node has written itself gives back what it is given.
const { native } = fs.realpathSync;
const { realpath } = fs.promises;
const plain = fs.realpathSync;
Object.assign(fs, {
  realpathSync: Object.assign(
    (/** @type {string} */ path) => (fs.existsSync(path) ? resolve(path) : plain(path)),
    { native: (/** @type {string} */ path) => native(String(spell(path))) },
  ),
});
Object.assign(fs.promises, {
  realpath: (/** @type {string} */ path) => realpath(String(spell(path))),
});
syncBuiltinESMExports();
