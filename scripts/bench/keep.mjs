// @ts-check
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { sessionFiles } from './checks.mjs';
import { median } from './report.mjs';
import { describeScanner } from './scan/scanner.mjs';

/**
 * The least that an index of a session can take: reads all session files of a store, parses what the index keeps of
 * each line, and keeps of each line an object with id, parent and time, and one map of all of a file, on one thread,
 * with V8's heap growing as it does in coppice. Prints the CPU time of reading all files, and the peak of the process.
 */
const USAGE =
  'usage: node scripts/bench/keep.mjs --store <dir> [--agent claude-code|codex] [--runs 5]\n';

const { values } = parseArgs({
  options: {
    store: { type: 'string' },
    agent: { type: 'string', default: 'claude-code' },
    runs: { type: 'string', default: '5' },
  },
});
if (values.store === undefined) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else await main(resolve(values.store), values.agent, Number(values.runs));

/**
 * @param {string} store
 * @param {string} agent
 * @param {number} runs
 */
async function main(store, agent, runs) {
  const recipe = await describeScanner(agent);
  // A process of its own: bundling the sources took memory.
  const child = fork(join(import.meta.dirname, 'scan/keep.mjs'), { serialization: 'advanced' });
  child.send({ recipe, files: sessionFiles(store), runs });
  const [{ lines, seconds, peak }] = await once(child, 'message');
  const time = median(seconds).toFixed(2);
  process.stdout.write(`${lines} lines: ${time} s of CPU, ${(peak / 1e6).toFixed(0)} MB\n`);
}
