// @ts-check
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import MarkdownIt from 'markdown-it';
import { withSource } from '../load-source.mjs';
import { sessionFiles } from './checks.mjs';

/**
 * The least that an export can take, on one thread: reads all session files of a store, parses every line
 * once, and writes the texts in it: without laying them out, as HTML that markdown-it makes of answers, or as a table
 * of one column. Prints the CPU time of each.
 *
 *     node scripts/bench/export.mjs --store <dir> [--runs 3]
 */

const { values } = parseArgs({
  options: { store: { type: 'string' }, runs: { type: 'string', default: '3' } },
});
if (values.store === undefined) {
  process.stderr.write('usage: node scripts/bench/export.mjs --store <dir> [--runs 3]\n');
  process.exitCode = 2;
} else await main(resolve(values.store), Number(values.runs));

/**
 * @param {string} store
 * @param {number} runs
 */
async function main(store, runs) {
  const files = sessionFiles(store);
  await withSource('src/export/formats/parquet/table.ts', async ({ writeTable }) => {
    /** @type {Record<string, () => AsyncIterable<Uint8Array | string>>} */
    const works = {
      'texts, as they are': () => readTexts(files),
      'texts, of answers as HTML': () => renderAnswers(readMessages(files)),
      'a table of texts': () => writeTable({ text: 'text' }, toRows(readTexts(files))),
    };
    for (const [name, work] of Object.entries(works)) {
      /** @type {number[]} */
      const seconds = [];
      for (let run = 0; run < runs; run += 1) seconds.push(await measure(work));
      const median = seconds.toSorted((a, b) => a - b)[runs >> 1] ?? Number.NaN;
      process.stdout.write(`${name}: ${median.toFixed(2)} s of CPU\n`);
    }
  });
}

/** @param {AsyncIterable<string>} texts */
async function* toRows(texts) {
  for await (const text of texts) yield { text };
}

/** @typedef {{ message?: { role?: unknown, content?: unknown } }} Entry */

/** @param {readonly string[]} files */
async function* readTexts(files) {
  for await (const entry of readMessages(files)) yield joinTexts(entry);
}

/** @param {AsyncIterable<Entry>} entries */
async function* renderAnswers(entries) {
  const markdown = new MarkdownIt();
  for await (const entry of entries) {
    const text = joinTexts(entry);
    yield entry.message?.role === 'assistant' ? markdown.render(text) : text;
  }
}

/**
 * @param {readonly string[]} files
 * @returns {AsyncGenerator<Entry>}
 */
async function* readMessages(files) {
  for (const file of files) {
    const bytes = readFileSync(file);
    for (let start = 0, end = 0; start < bytes.length; start = end + 1) {
      const lf = bytes.indexOf(0x0a, start);
      end = lf < 0 ? bytes.length : lf;
      if (end > start) yield JSON.parse(bytes.toString('utf8', start, end));
    }
  }
}

/** @param {Entry} entry */
function joinTexts({ message }) {
  const content = message?.content;
  if (typeof content === 'string') return content;
  const blocks = Array.isArray(content) ? content : [];
  return blocks.map(({ text, thinking }) => text ?? thinking ?? '').join('\n\n');
}

/**
 * @param {() => AsyncIterable<string | Uint8Array>} work
 * @returns {Promise<number>} seconds of CPU
 */
async function measure(work) {
  const path = join(tmpdir(), `coppice-export-${process.pid}`);
  const fd = openSync(path, 'w', 0o600);
  const before = process.cpuUsage();
  try {
    for await (const chunk of work()) writeSync(fd, Buffer.from(chunk));
  } finally {
    closeSync(fd);
    rmSync(path);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
