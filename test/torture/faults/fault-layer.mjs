// @ts-check
// A layer over Node's file system that can make any call fail, or let something happen before it.
// Production code knows nothing of it: the functions of node:fs are replaced where they live, so this
// module has to be loaded before any other that takes one of them away for itself.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ON_PATHS =
  'access appendFile chmod copyFile cp link lstat lutimes mkdir open opendir readFile readdir ' +
  'readlink realpath rename rm rmdir stat statfs symlink truncate unlink utimes writeFile';
const ON_DESCRIPTORS =
  'close fchmod fchown fdatasync fstat fsync ftruncate futimes read readv write writev';
/** Methods of a FileHandle by the call that they stand for; `close` is none of the prototype's. */
const ON_HANDLES = {
  appendFile: 'appendFile',
  chmod: 'fchmod',
  chown: 'fchown',
  datasync: 'fdatasync',
  read: 'read',
  readFile: 'readFile',
  stat: 'fstat',
  sync: 'fsync',
  truncate: 'ftruncate',
  utimes: 'futimes',
  write: 'write',
  writeFile: 'writeFile',
};

/** The calls as they were before: for what happens meanwhile, and is not a business of the layer. */
export const realFs = { ...fs };

/** @type {import('./fault-layer.mjs').Watch | undefined} */
let watch;
let count = 0;
/** @type {{ call: import('./fault-layer.mjs').Call, onDone: (call: import('./fault-layer.mjs').Call, result: unknown) => void } | undefined} */
let pending;
/** @type {Map<number, string>} */
const openPaths = new Map();

/** @type {typeof import('./fault-layer.mjs').startFaults} */
export function startFaults(given) {
  watch = given;
  count = 0;
  openPaths.clear();
}

/** @type {typeof import('./fault-layer.mjs').stopFaults} */
export function stopFaults() {
  watch = undefined;
  return listOpen();
}

/** @type {typeof import('./fault-layer.mjs').listOpen} */
export function listOpen() {
  return [...openPaths.values()];
}

/** @param {unknown} place */
function toPath(place) {
  if (typeof place === 'number') return openPaths.get(place);
  const given = place instanceof URL ? fileURLToPath(place) : String(place);
  if (!watch) return undefined;
  // What is done in an open directory.
  const path = given.replace(
    /^\/proc\/self\/fd\/(\d+)/,
    (all, fd) => openPaths.get(Number(fd)) ?? all,
  );
  return path === watch.root || path.startsWith(watch.root + sep) ? path : undefined;
}

/**
 * @param {string} name
 * @param {readonly unknown[]} args
 */
function isCreating(name, args) {
  if (name !== 'open') return name === 'writeFile' || name === 'appendFile';
  const [, flags = 'r'] = args;
  if (typeof flags === 'number') return (flags & fs.constants.O_CREAT) !== 0;
  return /[wa]/.test(String(flags));
}

/**
 * Tells of a call, and what is to become of it: undefined for what is not watched.
 * @param {string} name
 * @param {unknown} place
 * @param {readonly unknown[]} args
 */
function announce(name, place, args) {
  if (!watch) return undefined;
  const path = toPath(place);
  if (path === undefined) return undefined;
  const { onCall, onDone } = watch;
  count += 1;
  const isTo = typeof args[1] === 'string' && /^(rename|link|copyFile)$/.test(name);
  const to = isTo ? (toPath(args[1]) ?? String(args[1])) : '';
  const call = { number: count, name, path, to, creates: isCreating(name, args) };
  const fault = onCall(call);
  if (!fault && onDone) pending = { call, onDone };
  return fault;
}

/**
 * The end of the call that was announced last, if it is watched: to be taken at once.
 * @returns {(result: unknown) => void}
 */
function takeEnd() {
  const ended = pending;
  pending = undefined;
  return (result) => ended?.onDone(ended.call, result);
}

/**
 * @param {string} code
 * @param {string} name
 */
function makeError(code, name) {
  return Object.assign(new Error(`${code}: made by a test, ${name}`), {
    code,
    syscall: name,
    errno: -1,
  });
}

/**
 * Half of what was to be written or read: the arguments of `write` and `read`, or of `writeFile`.
 * @param {string} name
 * @param {unknown[]} args those behind the file
 */
function halve(name, args) {
  const [buffer, second, third] = args;
  if (!(buffer instanceof Uint8Array)) return args;
  if (name !== 'write' && name !== 'read') {
    return [buffer.subarray(0, Math.floor(buffer.length / 2)), ...args.slice(1)];
  }
  const offset = typeof second === 'number' ? second : 0;
  const length = typeof third === 'number' ? third : buffer.length - offset;
  return [buffer, offset, Math.max(1, Math.floor(length / 2)), ...args.slice(3)];
}

/**
 * @param {string} name
 * @param {unknown} place
 * @param {any} result
 */
function remember(name, place, result) {
  if (!watch) return;
  if (name === 'close' && typeof place === 'number') openPaths.delete(place);
  if (name !== 'open') return;
  const path = toPath(place);
  if (path !== undefined) openPaths.set(typeof result === 'number' ? result : result.fd, path);
}

/**
 * @param {any} owner
 * @param {string} key
 * @param {(original: any) => (...args: any[]) => any} wrap
 */
function replace(owner, key, wrap) {
  const original = owner[key];
  if (typeof original !== 'function') return;
  // A method, so that `this` is the handle.
  const patched = wrap(original);
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(original))) {
    if (name !== 'prototype') Object.defineProperty(patched, name, property);
  }
  for (const symbol of Object.getOwnPropertySymbols(original)) {
    Object.defineProperty(patched, symbol, { value: original[symbol] });
  }
  owner[key] = patched;
}

/**
 * @param {string} name
 * @param {any} owner
 * @param {string} key
 */
function patchSync(name, owner = fs, key = `${name}Sync`) {
  replace(owner, key, (original) => (place, ...args) => {
    const fault = announce(name, place, [place, ...args]);
    if (!fault) {
      const end = takeEnd();
      const result = original(place, ...args);
      remember(name, place, result);
      end(result);
      return result;
    }
    if (fault.short) return original(place, ...halve(name, args));
    if (fault.torn) original(place, ...halve(name, args));
    if (name === 'close') original(place);
    if (name === 'close') remember(name, place, undefined);
    throw makeError(fault.code, name);
  });
}

/** @param {string} name */
function patchCallback(name) {
  replace(fs, name, (original) => (place, ...args) => {
    const done = args.at(-1);
    const fault = announce(name, place, [place, ...args]);
    const isCallback = typeof done === 'function';
    if (!fault) {
      const end = takeEnd();
      if (!isCallback) return original(place, ...args);
      const finish = (/** @type {any} */ error, /** @type {any[]} */ ...results) => {
        if (!error) remember(name, place, results[0]);
        if (!error) end(results[0]);
        done(error, ...results);
      };
      return original(place, ...args.slice(0, -1), finish);
    }
    if (fault.short) return original(place, ...halve(name, args));
    const fail = () => done(makeError(fault.code, name));
    if (name === 'close') {
      remember(name, place, undefined);
      return original(place, fail);
    }
    process.nextTick(fail);
  });
}

/** @param {string} name */
function patchPromise(name) {
  replace(fs.promises, name, (original) => async (place, ...args) => {
    const fault = announce(name, place, [place, ...args]);
    if (fault && !fault.short) throw makeError(fault.code, name);
    const end = takeEnd();
    const result = await original(place, ...args);
    remember(name, place, result);
    end(result);
    // Not on the prototype, like the other methods of a FileHandle.
    if (name === 'open' && watch) patchHandle(result, 'close', 'close');
    return result;
  });
}

/**
 * @param {any} prototype
 * @param {string} method
 * @param {string} name
 */
function patchHandle(prototype, method, name) {
  replace(prototype, method, (original) => {
    return async function patched(/** @type {any[]} */ ...args) {
      // @ts-expect-error -- a method of a FileHandle
      const handle = this;
      const { fd } = handle;
      // Closing again is not a call.
      if (fd < 0) return original.apply(handle, args);
      const fault = announce(name, fd, [fd, ...args]);
      if (!fault || fault.short || fault.torn || name === 'close') {
        const given = fault && (fault.short || fault.torn) ? halve(name, args) : args;
        const end = takeEnd();
        const result = await original.apply(handle, given);
        remember(name, fd, result);
        end(result);
        if (!fault || fault.short) return result;
      }
      throw makeError(fault.code, name);
    };
  });
}

for (const name of `${ON_PATHS} ${ON_DESCRIPTORS}`.split(' ')) {
  patchSync(name);
  patchCallback(name);
}
for (const name of ON_PATHS.split(' ')) patchPromise(name);
patchSync('realpath', fs.realpathSync, 'native');
replace(fs, 'existsSync', (original) => (place) => {
  return announce('access', place, [place]) ? false : original(place);
});
const handle = await fs.promises.open(fileURLToPath(import.meta.url));
await handle.close();
for (const [method, name] of Object.entries(ON_HANDLES)) {
  patchHandle(Object.getPrototypeOf(handle), method, name);
}
syncBuiltinESMExports();
