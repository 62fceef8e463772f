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
  const program = ['-e', 'void require(process.argv[1]).main()', join(dist, 'main.cjs')];
  /** @param {string[]} words */
  const ask = async (...words) => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...program,
      ...words,
      '--help',
    ]);
    return stdout;
  };
  const overview = await ask();
  const commands = [...overview.matchAll(/^ {2}coppice (\w+)/gm)].map(([, name = '']) => name);
  const pages = commands.flatMap((name) => [
    { file: `${name}.txt`, text: ask(name) },
    { file: `${name}.all.txt`, text: ask(name, '--all') },
  ]);
  // Together, and only when all are asked for: a page that is there would be its own answer.
  const texts = await Promise.all(pages.map(({ text }) => text));
  mkdirSync(join(dist, 'help'));
  writeFileSync(join(dist, 'help/coppice.txt'), overview);
  for (const [at, { file }] of pages.entries()) {
    writeFileSync(join(dist, 'help', file), texts[at] ?? '');
  }
  writeManPages(overview, new Map(pages.map(({ file }, at) => [file, texts[at] ?? ''])), dist);
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
