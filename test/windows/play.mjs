// @ts-check
// Runs lines of coppice one after another in this process, each in a world where every file is long
// unchanged: node play.mjs <main.cjs> <file with the lines> <file for what came of them>
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { drawAgain } from './same-world.mjs';

const [main = '', asked = '', answers = ''] = process.argv.slice(2);
/** Both systems can set and read it exactly. */
const LONG_AGO = new Date('2026-07-01T08:30:00.500Z');
/** They are not those of the user: where they are differs. */
const CACHES = /^home[\\/](?:\.cache|AppData)(?:[\\/]|$)/;
const EVENTS = ['uncaughtException', 'SIGINT', 'SIGTERM'];

/** Paths of all that is in the current directory. */
function listAll() {
  return readdirSync('.', { recursive: true, encoding: 'utf8' }).filter((one) => !CACHES.test(one));
}

function setTimes() {
  for (const place of ['store', 'home'].filter((one) => existsSync(one))) {
    for (const name of readdirSync(place, { recursive: true, encoding: 'utf8' }))
      utimesSync(join(place, name), LONG_AGO, LONG_AGO);
    utimesSync(place, LONG_AGO, LONG_AGO);
  }
}

/** Which files there are, and whether one is another. */
function describeFiles() {
  const files = listAll().filter((name) => statSync(name).isFile());
  return files.map((name) => {
    const { size, ino, mtimeMs } = statSync(name);
    return [name, size, ino, mtimeMs].join(' ');
  });
}

/** What is written to it, in place of a stream of the process. */
function collect(/** @type {'stdout' | 'stderr'} */ name) {
  /** @type {Buffer[]} */
  const chunks = [];
  const stream = new Writable({
    write(chunk, _encoding, onDone) {
      chunks.push(Buffer.from(chunk));
      onDone();
    },
  });
  Object.defineProperty(process, name, { value: stream, configurable: true });
  return () => Buffer.concat(chunks).toString();
}

const program = createRequire(import.meta.url)(main);
/** @type {string[][]} */
const lines = JSON.parse(readFileSync(asked, 'utf8'));
for (const line of lines) {
  setTimes();
  drawAgain();
  const before = describeFiles();
  process.argv = [process.argv[0] ?? '', 'coppice', ...line];
  process.exitCode = 0;
  const [readOut, readErr] = [collect('stdout'), collect('stderr')];
  await program.main();
  for (const event of EVENTS) process.removeAllListeners(event);
  const changed = JSON.stringify(describeFiles()) !== JSON.stringify(before);
  const ended = { code: process.exitCode, out: readOut(), err: readErr(), changed };
  appendFileSync(answers, `${JSON.stringify(ended)}\n`);
}
process.exitCode = 0;
