// @ts-check
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { deserialize, serialize, setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { sessionFiles } from './checks.mjs';
import { readSessions } from './least/sessions.mjs';

/**
 * The least that a command can take which looks at every line: reads all session files of a store on two threads, and
 * prints a row for each. The scanner of coppice looks at each line; a line longer than 128 kB is passed over.
 *
 * - `check`: lines are checked as JSON and UTF-8, and nothing is kept.
 * - `list`: of pi, lines are looked at by their ends, and in strings. Of others, they are checked, what the index keeps
 *   of each is parsed, and whether the line that it names as its parent is above it.
 * - `validate`: they are checked, what the index and the rules keep is parsed, an entry of each line is kept by its id,
 *   and calls by theirs.
 *
 * Nothing is said of what is found: no message, title, model, cost or branch, no rule.
 */
const USAGE = `usage: node scripts/bench/least.mjs --agent <agent> --work check|list|validate --store <dir> [--recipe <file>]

With --recipe, the scanner and its plan are kept in that file, so that only a first run takes the time to build them.
`;

const { values } = parseArgs({
  options: {
    agent: { type: 'string', default: 'pi' },
    work: { type: 'string', default: 'list' },
    store: { type: 'string' },
    recipe: { type: 'string' },
  },
});
if (values.store === undefined) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else await main(resolve(values.store));

/** @param {string} store */
async function main(store) {
  const recipe = await getRecipe();
  // As in `src/batch/v8-settings.ts`.
  setFlagsFromString('--heap-growing-percent=150');
  const [own = [], other = []] = halve(sessionFiles(store));
  const thread = new Worker(new URL('least/thread.mjs', import.meta.url), {
    workerData: { recipe, files: other },
  });
  const ended = once(thread, 'message');
  const rows = readSessions(own, recipe);
  const [others] = await ended;
  process.stdout.write(`${[...rows, ...others].join('\n')}\n`);
}

/** @returns {Promise<import('./least/scanner.mjs').Recipe>} */
async function getRecipe() {
  const { recipe, agent, work } = values;
  const kept = recipe === undefined ? undefined : readIfThere(recipe);
  if (kept) return deserialize(kept);
  // Loaded for this alone: it bundles the sources.
  const { describeScanner } = await import('./least/describe.mjs');
  const made = await describeScanner(agent, toWork(work));
  if (recipe !== undefined) writeFileSync(recipe, serialize(made));
  return made;
}

/**
 * @param {string} work
 * @returns {import('./least/scanner.mjs').Work}
 */
function toWork(work) {
  if (work === 'check' || work === 'list' || work === 'validate') return work;
  throw new Error(`no such work: ${work}`);
}

/** @param {string} path */
function readIfThere(path) {
  return existsSync(path) ? readFileSync(path) : undefined;
}

/**
 * The largest first, each to the half that has less.
 * @param {readonly string[]} files
 */
function halve(files) {
  const sized = files.map((file) => ({ file, size: statSync(file).size }));
  /** @type {{ files: string[], size: number }[]} */
  const halves = [
    { files: [], size: 0 },
    { files: [], size: 0 },
  ];
  for (const { file, size } of sized.toSorted((a, b) => b.size - a.size)) {
    const [half] = halves.toSorted((a, b) => a.size - b.size);
    if (!half) continue;
    half.files.push(file);
    half.size += size;
  }
  return halves.map((half) => half.files);
}
