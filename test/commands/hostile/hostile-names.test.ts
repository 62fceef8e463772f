import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleSession } from '../../sample-session.ts';
import { toJsonl } from '../../temp-dir.ts';
import { listOutside, makeHostileWorld } from './hostile-world.ts';

const LONG = `${'n'.repeat(249)}.jsonl`;
const NAMES = ['--apply', '-', '--', '-x', '*.jsonl', '[a]', '{a,b}', '!(x)', 'a\nb', '~', '$HOME'];

const toText = (id: string): string => toJsonl(sampleSession({ id }));

describe('files whose names are something else to somebody', () => {
  it('are found, each once, and are what they are', async () => {
    const { root, run, write } = await makeHostileWorld();
    const names = [...NAMES.map((name) => `${name}.jsonl`), LONG];
    for (const [index, name] of names.entries()) write(`store/${name}`, toText(`id-${index}`));
    mkdirSync(join(root, 'store/--apply/--'), { recursive: true });
    write('store/--apply/--/s.jsonl', toText('inner'));
    const { out, exitCode } = await run('list', '--store', 'store', '--paths', '-0');
    expect(exitCode).toBe(0);
    const found = out.split('\0').filter((path) => path !== '');
    const expected = [...names, '--apply/--/s.jsonl'].map((name) => join(root, 'store', name));
    expect(found.toSorted()).toEqual(expected.toSorted());
    const again = await run('list', '--json', ...found.filter((path) => !path.endsWith('-.jsonl')));
    expect(again.exitCode).toBe(0);
  });

  it('are no path of their own behind a line feed, unless paths end with NUL', async () => {
    const { root, run, write } = await makeHostileWorld();
    write('store/a.jsonl', toText('a'));
    write('store/x\nb.jsonl', toText('b'));
    const list = await run('list', '--store', 'store', '--paths');
    expect(list.out).toBe(`${join(root, 'store/a.jsonl')}\n`);
    expect(list.exitCode).toBe(3);
    expect(list.err).toContain('left out: its name contains a line feed; add -0\n');
    const fork = await run('fork', join(root, 'store/a.jsonl'), '--out', 'out\nb.jsonl');
    expect(fork).toMatchObject({ exitCode: 3, out: '' });
    expect(fork.err).toContain('left out: its name contains a line feed; add -0\n');
    expect((await run('list', '--store', 'store', '--paths', '-0')).exitCode).toBe(0);
  });

  it.each(NAMES)('can be named behind --, as any other: %j', async (name) => {
    const { run, write } = await makeHostileWorld();
    write(`${name}.jsonl`, toText('the-one'));
    write('other.jsonl', toText('another'));
    const { out, exitCode } = await run('list', '--json', '--', `${name}.jsonl`);
    expect(exitCode).toBe(0);
    expect(out.match(/"id":"[^"]*"/g)).toEqual(['"id":"the-one"']);
  });

  it('are never taken for an option of ours', async () => {
    const { root, run, write } = await makeHostileWorld();
    write('store/--apply.jsonl', toText('x'));
    writeFileSync(join(root, '--apply'), '');
    const prune = ['prune', '--store', 'store', '--older-than', '30d', '--allow-empty', '--delete'];
    const { exitCode } = await run(...prune, '--', '--apply');
    expect(exitCode).toBeLessThan(4);
    expect(readdirSync(join(root, 'store'))).toEqual(['--apply.jsonl']);
  });
});

describe('the name of an output', () => {
  const EXPORT = ['export', '--store', 'store', '--as', 'md'];

  it.each(['-x', '--', './-', '--apply', ' ', '*', 'a\nb'])('may be anything: %j', async (name) => {
    const { root, run, write } = await makeHostileWorld();
    write('store/s.jsonl', toText('x'));
    const { exitCode } = await run(...EXPORT, `--out=${name}`);
    expect(exitCode).toBe(0);
    expect(readdirSync(root).toSorted()).toEqual([basename(name), 'precious', 'store'].toSorted());
  });

  it('is standard output where it is a dash', async () => {
    const { root, run, write } = await makeHostileWorld();
    write('store/s.jsonl', toText('x'));
    const { exitCode, out } = await run(...EXPORT, '--out=-');
    expect([exitCode, out.includes('x')]).toEqual([0, true]);
    expect(readdirSync(root).toSorted()).toEqual(['precious', 'store']);
  });

  it.each(['', '-x', '--apply'])(
    'is asked for where %j seems to be another option',
    async (name) => {
      const { root, run, write } = await makeHostileWorld();
      write('store/s.jsonl', toText('x'));
      const { exitCode } = await run(...EXPORT, '--out', name);
      expect(exitCode).toBe(2);
      expect(listOutside(root, ['store'])).toEqual(['precious/file']);
    },
  );

  it.each([
    ['export', ['export', '--store', 'store', '--as', 'md', '--out', 'n'.repeat(300)]],
    ['fork', ['fork', 'store/s.jsonl', '--out', 'n'.repeat(300)]],
    ['fork', ['fork', 'store/s.jsonl', '--id', '../../precious/x']],
    ['fork', ['fork', 'store/s.jsonl', '--id', 'n'.repeat(300)]],
    ['archive', ['prune', '--older-than', '30d', '--allow-empty', '--apply', '--archive', '']],
    ['backup', ['migrate', '--apply', '--backup', '']],
    ['backup', ['migrate', '--apply', '--backup', '/../../precious/x']],
    ['empty', ['list', '']],
  ])('of %s is refused, and nothing made, where it cannot be: %#', async (_, argv) => {
    const { root, run, write } = await makeHostileWorld();
    const old = toText('x').replace('"version":3,', '');
    write('store/s.jsonl', old);
    const { exitCode, err } = await run(...argv, '--store', 'store');
    expect([exitCode > 0 && exitCode < 4, err.length > 0]).toEqual([true, true]);
    expect(listOutside(root, ['home'])).toEqual(['precious/file', 'store/s.jsonl']);
  });
});

// Elsewhere, names are text.
const describeOnLinux = process.platform === 'linux' ? describe : undefined;

describeOnLinux?.('files whose names are not UTF-8', () => {
  it('are reported, and keep the session that has them', async () => {
    const { root, run, write } = await makeHostileWorld();
    const id = '0199a111-0000-7000-8000-000000000001';
    write(`store/${id}.jsonl`, toText(id));
    write(`store/${id}/a.png`, 'x');
    write('store/z.jsonl', toText('z'));
    const copy =
      'cd store && cp z.jsonl "$(printf "\\377").jsonl" && cp z.jsonl "$1/$(printf "\\377")"';
    execFileSync('sh', ['-c', copy, 'sh', id], { cwd: root });
    const list = await run('list', '--store', 'store');
    expect(list.exitCode).toBe(3);
    expect(list.err).toContain('has a name that is not UTF-8; rename it');
    const args = ['--older-than', '0s', '--grace', '0s', '--allow-empty', '--json'];
    const { out } = await run('prune', '--store', 'store', ...args, '--apply', '--delete');
    expect(out).toContain('is a file whose name is not UTF-8');
    expect(existsSync(join(root, 'store', `${id}.jsonl`))).toBe(true);
    expect(existsSync(join(root, 'store/z.jsonl'))).toBe(false);
  });
});
