import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/commands/index.ts';
import { describeLines, docs, PAGES, ROOT, texts } from './docs-lines.ts';

describeLines(false);

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
