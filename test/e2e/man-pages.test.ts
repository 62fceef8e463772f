import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/commands/index.ts';
// The build has no types of its own for tests.
// @ts-expect-error TS7016
import { escape, formatManPage } from '../../scripts/build/man-pages.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const DIRECTORY = join(ROOT, 'dist/man');
const names = readdirSync(DIRECTORY);
const read = (name: string): string => readFileSync(join(DIRECTORY, name), 'utf8');
const hasGroff = spawnSync('groff', ['--version']).status === 0;

describe('man pages', () => {
  it('are there for coppice and every command, and found by man', () => {
    const expected = ['coppice.1', ...commands.map(({ name }) => `coppice-${name}.1`)];
    expect(names.toSorted()).toEqual(expected.toSorted());
    const { man }: { man: string[] } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(man.toSorted()).toEqual(names.map((name) => `./dist/man/${name}`).toSorted());
    expect(man.every((path) => existsSync(join(ROOT, path)))).toBe(true);
  });

  it('describe every option, with its default and its choices', async () => {
    for (const { name, load } of commands) {
      const page = read(`coppice-${name}.1`);
      const { options } = await load();
      for (const option of Object.keys(options)) {
        expect(page).toMatch(
          new RegExp(
            `^\\.B (\\\\-\\w, )?${escape(`--${option}`).replaceAll('\\', '\\\\')}\\b`,
            'm',
          ),
        );
      }
    }
    expect(read('coppice-list.1')).toContain('One of: modified, created,');
    expect(read('coppice-migrate.1')).toContain('Default: 10min.');
  });

  it('have the sections that man pages have, once each', () => {
    for (const name of names) {
      const sections = [...read(name).matchAll(/^\.SH (.*)$/gm)].map(([, section]) => section);
      expect(new Set(sections).size).toBe(sections.length);
      const own = name === 'coppice.1' ? 'COMMANDS' : 'TARGETS';
      const common = ['NAME', 'SYNOPSIS', 'DESCRIPTION', 'EXAMPLES', 'EXIT STATUS', 'SEE ALSO'];
      expect(sections).toEqual(expect.arrayContaining([...common, own]));
      // No name of an option or a file, which capitals would make another one.
      for (const section of sections) expect(section).toMatch(/^[A-Z][A-Z ]*$/);
    }
  });

  it('say below a section what the help page says in its heading', () => {
    expect(read('coppice-prune.1')).toContain(
      '.SH BUDGETS\nThe oldest sessions are removed first.\n',
    );
    expect(read('coppice.1')).toContain('.SH EXAMPLES\ncoppice list; ');
    expect(read('coppice-prune.1')).toContain('.SH ARCHIVES\nSee docs/prune.md.\n');
  });

  it('take nothing of a text for an instruction', () => {
    expect(escape('.so /etc/passwd')).toBe('\\&.so /etc/passwd');
    expect(escape("'x \\n `y` ~/z -0 ^")).toBe('\\(aqx \\(rsn \\(gay\\(ga \\(ti/z \\-0 \\(ha');
    const page = formatManPage({
      name: 'x',
      summary: '.y',
      help: "x\n\n.PP\n'br\n\nA:\n  --b <d>=<e>  .c <d>",
      version: '1',
      others: ['z'],
    });
    expect(page).toContain('x \\- \\&.y\n');
    expect(page).toContain('.PP\n\\&.PP\n\\(aqbr\n');
    expect(page).toContain('.B \\-\\-b \\fId\\fR=\\fIe\\fR\n\\&.c <d>.\n');
  });

  it('are the same in every build', () => {
    for (const name of names)
      expect(read(name)).toMatch(/^\.TH COPPICE\S* 1 "" "coppice \S+" "coppice"\n/);
  });

  it.runIf(hasGroff).each(names)('%s is read without a warning', (name) => {
    const args = ['-man', '-ww', '-z', '-Tutf8', join(DIRECTORY, name)];
    expect(spawnSync('groff', args, { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });
});
