// @ts-check
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { assembly } from '../build/assembly.mjs';
import { withSource } from '../load-source.mjs';
import { sessionFiles } from './checks.mjs';

/**
 * The least that a command can take which checks every line: reads all session files of a store, has
 * the scanner of `src/session/jsonl/scanner` check each line as JSON and UTF-8 and keep nothing, and
 * does nothing else, on one thread. Prints the CPU time of that, of reading alone, and of `wc -l`; with
 * an agent also that of a program which parses what `validate` keeps of each line, and looks at none of it, or, of
 * pi, which only looks at the ends of lines and at strings, as a listing does.
 *
 *     node scripts/bench/scan.mjs --store <dir> [--agent pi|claude-code|codex] [--runs 5]
 */

const ROOT = resolve(import.meta.dirname, '../..');
const CHUNK_BYTES = 128 * 1024;
const SCANNER = 'src/session/jsonl/scanner/assembly.base64';
const PI_SCANNER = 'src/session/agents/pi/scanner/assembly.base64';

const { values } = parseArgs({
  options: {
    store: { type: 'string' },
    agent: { type: 'string' },
    runs: { type: 'string', default: '5' },
  },
});
if (values.store === undefined) {
  process.stderr.write(
    'usage: node scripts/bench/scan.mjs --store <dir> [--agent <agent>] [--runs 5]\n',
  );
  process.exitCode = 2;
} else await main(resolve(values.store), Number(values.runs));

/**
 * @param {string} store
 * @param {number} runs
 */
async function main(store, runs) {
  const files = sessionFiles(store);
  const scanner = await createScanner(SCANNER);
  const [own, more] = await createMore(scanner, values.agent);
  /** @type {Record<string, number[]>} */
  const seconds = { 'wc -l': [], read: [], 'read and check': [] };
  if (more) seconds[own] = [];
  let totals = { bytes: 0, lines: 0, others: 0 };
  for (let run = 0; run <= runs; run += 1) {
    const wc = measure(() => countByWc(store), 'children');
    const read = measure(() => void readAll(files, scanner, false), 'self');
    const checked = measure(() => void (totals = readAll(files, scanner, true)), 'self');
    const done = more && measure(() => void readAll(files, more, true), 'self');
    // The first run warms up.
    if (run === 0) continue;
    seconds['wc -l']?.push(wc);
    seconds['read']?.push(read);
    seconds['read and check']?.push(checked);
    if (done !== undefined) seconds[own]?.push(done);
  }
  const base = median(seconds['wc -l'] ?? []);
  const { bytes, lines, others } = totals;
  const size = `${files.length} files, ${(bytes / 1e6).toFixed(0)} MB, ${lines} lines`;
  process.stdout.write(`${size}, ${others} of them not checked to their end\n`);
  for (const [name, all] of Object.entries(seconds)) {
    const time = median(all);
    const ratio = (time / base).toFixed(1);
    process.stdout.write(`${name}: ${time.toFixed(3)} s of CPU, ${ratio} × wc -l\n`);
  }
}

/** @typedef {{ bytes: Buffer, first: number, reduce: (from: number, end: number, plan: number) => number, scannedTo: { value: number }, plan: number, resultEnd: { value: number }, isAscii: { value: number }, takeLines?: () => void }} Scanner */

/**
 * What is measured besides, with its name.
 * @param {Scanner} scanner
 * @param {string | undefined} agent
 * @returns {Promise<[string, Scanner?]>}
 */
async function createMore(scanner, agent) {
  if (agent === undefined) return [''];
  if (agent !== 'pi') return ['read, check and parse', await addPlan(scanner, agent)];
  const own = await createScanner(PI_SCANNER);
  return ['read, and look at ends and strings', { ...own, reduce: toSkim(own) }];
}

/**
 * Takes lines by their ends, and names a model when it is the first time that an answer has it.
 * @param {any} exports of pi's scanner
 * @returns {Scanner['reduce']}
 */
function toSkim({ bytes, skim, ending, namesStart, namesEnd, NAMES, setNames }) {
  const UNNAMED = 2;
  const API = '],"api":"';
  /** @param {number} from @param {number} end */
  const take = (from, end) => {
    const count = skim(from, end, 0, 0, 0);
    if (count > 0 || ending.value !== UNNAMED) return count;
    const names = bytes.subarray(namesStart.value, namesEnd.value);
    const at = names.lastIndexOf(API);
    if (at === -1) return 0;
    setNames(names.copy(bytes, NAMES.value, at));
    return skim(from, end, 0, 0, 0);
  };
  return take;
}

/**
 * @param {string} program
 * @returns {Promise<Scanner>}
 */
async function createScanner(program) {
  /** @type {Record<string, number>} */
  const layout = await withSource('src/session/jsonl/scanner/layout.ts', (module) =>
    Promise.resolve({ ...module }),
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the plugin has
  const plugin = /** @type {{ load: (id: string) => Promise<string> }} */ (assembly());
  const [, text = '""'] = /= (".*");$/.exec(await plugin.load(join(ROOT, program))) ?? [];
  const memory = new WebAssembly.Memory({ initial: layout['MEMORY_PAGES'] ?? 0 });
  const module = new WebAssembly.Module(Buffer.from(JSON.parse(text), 'base64'));
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  // Nothing has been written there: a plan that names no member.
  const plan = (layout['PLAN'] ?? 0) + 8;
  const bytes = Buffer.from(memory.buffer);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what its source exports
  return /** @type {Scanner} */ ({ ...exports, bytes, first: layout['CHUNKS'], plan });
}

/**
 * The scanner with what `validate` keeps of the lines of an agent.
 * @param {Scanner} scanner
 * @param {string} agent
 * @returns {Promise<Scanner>}
 */
async function addPlan(scanner, agent) {
  const { mergePlans, writePlan } = await withSource('src/session/jsonl/scanner/plan.ts', keep);
  const { PLAN, RESULT } = await withSource('src/session/jsonl/scanner/layout.ts', keep);
  const { dialects } = await withSource('src/session/agents/index.ts', keep);
  const { reading, rules } = dialects.find((/** @type {any} */ one) => one.agent === agent);
  const reads = rules.map((/** @type {any} */ rule) => rule.reads ?? {});
  const written = writePlan(mergePlans([reading.indexSession('lines').plan, ...reads]));
  // The plan that names no member is behind it.
  const none = scanner.plan + written.bytes.length + 8;
  scanner.plan = none - (none % 8);
  written.bytes.copy(scanner.bytes, PLAN);
  const { resultEnd, isAscii } = scanner;
  const takeLines = () => {
    const encoding = isAscii.value === 0 ? 'utf8' : 'latin1';
    JSON.parse(scanner.bytes.toString(encoding, RESULT, resultEnd.value));
  };
  return { ...scanner, plan: written.root, takeLines };
}

/** @param {any} module */
function keep(module) {
  return Promise.resolve({ ...module });
}

/**
 * @param {readonly string[]} files
 * @param {Scanner} scanner
 * @param {boolean} checks
 */
function readAll(files, scanner, checks) {
  const totals = { bytes: 0, lines: 0, others: 0 };
  for (const file of files) {
    const fd = openSync(file, 'r');
    try {
      let begun = 0;
      for (;;) {
        const { bytes, first } = scanner;
        const count = readSync(fd, bytes, first + begun, CHUNK_BYTES - begun, null);
        if (count === 0) break;
        totals.bytes += count;
        begun = checks ? scan(scanner, begun + count, totals) : 0;
      }
    } finally {
      closeSync(fd);
    }
  }
  return totals;
}

/**
 * Checks the lines of a chunk, and moves the beginning of the next one to the front; a line that is longer
 * than the chunk is passed over.
 * @param {Scanner} scanner
 * @param {number} length
 * @param {{ lines: number, others: number }} totals
 */
function scan({ bytes, first, reduce, scannedTo, plan, takeLines }, length, totals) {
  const end = first + length;
  let at = first;
  for (;;) {
    const count = reduce(at, end, plan);
    totals.lines += count;
    at = scannedTo.value;
    if (count > 0) {
      takeLines?.();
      continue;
    }
    const lf = bytes.subarray(at, end).indexOf(0x0a);
    if (lf < 0) break;
    totals.others += 1;
    at += lf + 1;
  }
  if (end - at === CHUNK_BYTES) {
    totals.others += 1;
    return 0;
  }
  bytes.copyWithin(first, at, end);
  return end - at;
}

/** @param {string} store */
function countByWc(store) {
  const script = "find . -name '*.jsonl' -print0 | xargs -0 wc -l";
  spawnSync('sh', ['-c', script], { cwd: store, stdio: 'ignore' });
}

/**
 * @param {() => void} work
 * @param {'self' | 'children'} whose
 * @returns {number} seconds of CPU
 */
function measure(work, whose) {
  const before = process.cpuUsage();
  const children = childSeconds();
  work();
  const { user, system } = process.cpuUsage(before);
  return whose === 'self' ? (user + system) / 1e6 : childSeconds() - children;
}

/** The CPU time of all processes that have been started and have ended, by the clock of Linux. */
function childSeconds() {
  const fd = openSync('/proc/self/stat', 'r');
  try {
    const bytes = Buffer.alloc(1024);
    const stat = bytes.toString('latin1', 0, readSync(fd, bytes));
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } finally {
    closeSync(fd);
  }
}

/** @param {readonly number[]} numbers */
function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}
