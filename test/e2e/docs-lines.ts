import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeHome, needsShell, runLine } from './docs-sandbox.ts';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const docs = (await readdir(join(ROOT, 'docs'))).filter((name) => name.endsWith('.md'));
export const PAGES = ['README.md', 'CONTRIBUTING.md', ...docs.map((name) => `docs/${name}`)];

export const texts = new Map(
  await Promise.all(
    PAGES.map(async (name) => [name, await readFile(join(ROOT, name), 'utf8')] as const),
  ),
);

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;
const IS_OURS = /^(?:(?:pi|neovate|npx) .*|.*\| *)?\bcoppice [a-z-]/;
/** Where something else is to be filled in, by a person. */
const OPEN = /<[a-z]|…|--(?:at|before)$/;

/** Command lines of code blocks, and of the text. Blocks of other languages have tests of their own. */
function findLines(page: string): readonly string[] {
  const text = texts.get(page) ?? '';
  const blocks = [...text.matchAll(FENCE)].flatMap(([, language = '', body = '']) => {
    const lines = body.split('\n');
    if (language === 'sh') return lines.map((line) => line.replace('OPENAI_API_KEY=… ', ''));
    return lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2));
  });
  const prose = text.replace(FENCE, '').replace(/^#.*$/gm, '');
  const indented = prose
    .split('\n')
    .filter((line) => line.startsWith('    ') && !line.includes('`'));
  const spans = [...prose.matchAll(/`([^`\n]*coppice [a-z]+ [^`\n]*)`/g)].map(
    ([, span = '']) => span,
  );
  const lines = [...blocks, ...indented, ...spans].map((line) => line.trim());
  const ours = lines.filter(
    (line) => IS_OURS.test(line) && !line.startsWith('#') && !OPEN.test(line),
  );
  // The two commands of the README are run as they stand, in CI.
  return [...new Set(ours)].filter(
    (line) => !line.startsWith('npm ') && !line.startsWith('import '),
  );
}

/** The command lines of a page that are run: without those for a shell, or, where it has some, all. */
function chooseLines(page: string, withShell: boolean): readonly string[] {
  const lines = findLines(page);
  if (!withShell) return lines.filter((line) => !needsShell(line));
  return lines.some(needsShell) ? lines : [];
}

/** Tests that every command line of every page does what it should. */
export function describeLines(withShell: boolean): void {
  const pages = PAGES.filter((page) => chooseLines(page, withShell).length > 0);
  describe.each(pages)('every command line of %s', (page) => {
    const lines = chooseLines(page, withShell);
    let home: string;

    beforeAll(async () => {
      home = await realpath(await mkdtemp(join(tmpdir(), 'coppice-docs-')));
      await makeHome(home, lines);
    });

    afterAll(() => rm(home, { recursive: true, force: true }));

    it.each(lines)('does what it should: %s', async (line) => {
      const { code, err } = await runLine(line, home);
      // 1: it ran, and found something. Some need a newer Node than others, and then name it.
      const needsNode = code === 2 && err.includes('use Node 22.15');
      const isWell = code === 0 || code === 1 || needsNode;
      expect({ err, isWell }).toEqual({ err, isWell: true });
    });
  });
}
