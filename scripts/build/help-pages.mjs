// @ts-check
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { formatManPage } from './man-pages.mjs';

/**
 * Lets the program that was built say its help, and keeps that beside it: the pages are the same
 * each time, and to lay them out takes longer than everything else about saying them. The pages of
 * `man` are made of them.
 *
 * @param {string} dist
 */
export async function writeHelpPages(dist) {
  const [overview = ''] = await askForHelp(dist, [[]]);
  const commands = [...overview.matchAll(/^ {2}coppice (\w+)(?: \[\w+\])? {2,}/gm)].map(
    ([, name = '']) => name,
  );
  const requests = commands.flatMap((name) => [[name], [name, '--all']]);
  // Together, and only when all are asked for: a page that is there would be its own answer.
  const texts = await askForHelp(dist, requests);
  const pages = new Map(
    requests.map(([name, all], at) => [`${name}${all ? '.all' : ''}.txt`, texts[at] ?? '']),
  );
  mkdirSync(join(dist, 'help'));
  for (const [file, text] of [['coppice.txt', overview], ...pages])
    writeFileSync(join(dist, 'help', file), text);
  writeManPages(overview, pages, dist);
}

/** Runs the program for each list of words, one after another, and gives what each has printed. */
const ASK = `
  const [, path, requests] = process.argv;
  process.setMaxListeners(0);
  const { main } = require(path);
  const texts = [];
  const print = process.stdout.write.bind(process.stdout);
  (async () => {
    for (const words of JSON.parse(requests)) {
      let text = '';
      process.stdout.write = (chunk, ...rest) => {
        text += chunk;
        rest.at(-1)?.();
        return true;
      };
      process.argv = [process.argv[0], path, ...words, '--help'];
      await main();
      texts.push(text);
    }
    print(JSON.stringify(texts));
  })();`;

/**
 * In one process: to start one takes longer than to lay out a page.
 *
 * @param {string} dist @param {readonly (readonly string[])[]} requests
 * @returns {Promise<readonly string[]>}
 */
async function askForHelp(dist, requests) {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '-e',
    ASK,
    join(dist, 'main.cjs'),
    JSON.stringify(requests),
  ]);
  return JSON.parse(stdout);
}

/** @param {string} overview @param {Map<string, string>} helps by file @param {string} dist */
function writeManPages(overview, helps, dist) {
  const { version } = JSON.parse(readFileSync(join(dist, '../package.json'), 'utf8'));
  const summaries = [...overview.matchAll(/^ {2}coppice (\w+) {2,}(.*)$/gm)];
  const names = summaries.map(([, name = '']) => `coppice-${name}`);
  mkdirSync(join(dist, 'man'));
  /** @param {string} name @param {string} summary @param {string} help @param {string[]} others */
  const write = (name, summary, help, others) => {
    const page = formatManPage({ name, summary, help, version, others });
    writeFileSync(join(dist, 'man', `${name}.1`), page);
  };
  write('coppice', 'batch maintenance for the session files of coding agents', overview, names);
  for (const [, name = '', summary = ''] of summaries) {
    const others = ['coppice', ...names.filter((other) => other !== `coppice-${name}`)];
    write(`coppice-${name}`, summary, helps.get(`${name}.all.txt`) ?? '', others);
  }
}
