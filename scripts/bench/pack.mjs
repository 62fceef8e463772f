// @ts-check
import { readFileSync } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { sessionFiles } from './checks.mjs';

/**
 * The least that replacing session files by compressed ones can take: each is read, compressed, written, flushed,
 * read back and unpacked before it goes, as many at once as there are processors. Nothing is listed, asked about
 * or printed. Needs a Node with zstd.
 *
 * usage: node scripts/bench/pack.mjs <dir>
 */
const [compress, unpack] = ['zstdCompress', 'zstdDecompress'].map(toAsync);

const files = sessionFiles(process.argv[2] ?? '.').values();
await Promise.all(Array.from({ length: availableParallelism() }, work));

async function work() {
  for (const path of files) await replace(path);
}

/** @param {string} path */
async function replace(path) {
  const [temporary, packed] = [`${path}.tmp`, `${path}.zst`];
  const bytes = readFileSync(path);
  const file = await open(temporary, 'wx');
  await file.writeFile(await compress(bytes));
  await file.sync();
  await file.close();
  await rename(temporary, packed);
  await flushDirectory(path);
  if (!bytes.equals(await unpack(readFileSync(packed)))) throw new Error(`${packed}: differs`);
  await unlink(path);
  await flushDirectory(path);
}

/** @param {string} path of a file in it */
async function flushDirectory(path) {
  const directory = await open(dirname(path));
  await directory.sync();
  await directory.close();
}

/**
 * @param {string} name of a function that newer releases of Node have
 * @returns {(bytes: Buffer) => Promise<Buffer>}
 */
function toAsync(name) {
  return promisify(Reflect.get(zlib, name));
}
