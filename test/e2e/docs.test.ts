import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../src/commands/index.ts';
import { makeHome, runLine } from './docs-sandbox.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const docs = (await readdir(join(ROOT, 'docs'))).filter((name) => name.endsWith('.md'));
const PAGES = ['README.md', 'CONTRIBUTING.md', ...docs.map((name) => `docs/${name}`)];

const texts = new Map(
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

describe.each(PAGES.filter((page) => findLines(page).length > 0))(
  'every command line of %s',
  (page) => {
    let home: string;

    beforeAll(async () => {
      home = await realpath(await mkdtemp(join(tmpdir(), 'coppice-docs-')));
      await makeHome(home, findLines(page));
    });

    afterAll(() => rm(home, { recursive: true, force: true }));

    it.each(findLines(page))(
      'does what it should: %s',
      async (line) => {
        const { code, err } = await runLine(line, home);
        // 1: it ran, and found something. Some need a newer Node than others, and then name it.
        const needsNode = code === 2 && err.includes('run coppice with Node');
        const isWell = code === 0 || code === 1 || needsNode;
        expect({ err, isWell }).toEqual({ err, isWell: true });
      },
      60_000,
    );
  },
);

describe('the documentation', () => {
  it('has a page for every command, and links to every page', () => {
    const pages = commands.map(({ name }) => `docs/${name}.md`);
    expect(pages.filter((page) => !texts.has(page))).toEqual([]);
    const all = [...texts.values()].join('\n');
    const named = docs.filter((name) => all.includes(`(docs/${name}`) || all.includes(`(${name}`));
    expect(named).toEqual(docs);
  });

  it.each(PAGES)('%s links to what is there', (page) => {
    const links = [...(texts.get(page) ?? '').matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)];
    const targets = links
      .map(([, target = '']) => target)
      .filter((target) => !/^https?:/.test(target));
    expect(targets.filter((target) => !existsSync(join(ROOT, dirname(page), target)))).toEqual([]);
  });

  it.each(PAGES)('%s names only headings that are there', (page) => {
    const links = [...(texts.get(page) ?? '').matchAll(/\]\(([^)#\s]*)#([^)]+)\)/g)];
    for (const [, target = '', anchor = ''] of links) {
      const name = target === '' ? page : join(dirname(page), target);
      const headings = [...(texts.get(name) ?? '').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replace(/[^\w\- ]/g, '')
          .replaceAll(' ', '-'),
      );
      expect(headings).toContain(anchor);
    }
  });
});
