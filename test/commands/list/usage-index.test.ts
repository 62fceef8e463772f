import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { forgeIndex } from '../../store/find/forge-index.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));
const VIEWS = [['--usage'], ['--by', 'model'], ['--by', 'day'], ['--by', 'project']];

let home: string;
let index: string;

beforeEach(async () => {
  home = await makeTempDir();
  index = join(home, '.cache/coppice/usage.ndjson');
  await mkdir(join(home, 'store'));
});

const list = async (...args: readonly string[]) =>
  runTest(['list', '--json', '--store', join(home, 'store'), ...args], { home });

/** A fork holds the parent's entries as they were, and one more answer of its own. */
function fork(parent: readonly object[], id: string, parentSession: string): object[] {
  const [, ...entries] = parent;
  const [header, , answer] = sampleSession({ id, parentSession });
  return [header ?? {}, ...entries, { ...answer, id: `own-${id}`, parentId: 'aaaaaaa2' }];
}

describe('the index of usage', () => {
  it.each([
    ['recorded', ['--usage']],
    ['neovate', ['--by', 'day']],
    ['claude-code', ['--by', 'model']],
    ['codex/home', ['--usage']],
  ])('answers for %s as reading does', async (fixtures, view) => {
    await cp(join(FIXTURES, fixtures), join(home, 'store'), { recursive: true });
    const fresh = await list(...view, '--no-cache');
    expect(await list(...view)).toEqual(fresh);
    expect(await list(...view)).toEqual(fresh);
    expect(await readFile(index, 'utf8')).toContain(join(home, 'store'));
  });

  it('answers for files that have not changed', async () => {
    await writeFiles(home, { 'store/a.jsonl': sampleSession({ id: 'ash' }) });
    const first = await list('--by', 'model');
    await forgeIndex(index, (line) => line.replace('acme/oak-1', 'forged/model'));
    expect((await list('--by', 'model')).out).toContain('forged/model');
    expect(await list('--by', 'model', '--no-cache')).toEqual(first);
  });

  it.each([
    ['a parent of which it knew only sums', () => join(home, 'store/parent.jsonl')],
    ['one that its name shows, as in a store that has moved', () => '/home/before/parent.jsonl'],
  ])('counts once what a fork copied, also of %s', async (_, getPath) => {
    const parent = sampleSession({ id: 'parent' });
    await writeFiles(home, { 'store/parent.jsonl': parent });
    await list('--usage');
    await writeFiles(home, { 'store/fork.jsonl': fork(parent, 'one', getPath()) });
    for (const view of VIEWS) {
      const fresh = await list(...view, '--no-cache');
      expect(await list(...view)).toEqual(fresh);
      expect(await list(...view)).toEqual(fresh);
    }
    expect((await list('--usage')).out).toMatch(/"inheritedUsage":\{"input":[1-9]/);
  });

  it('holds no id of an entry', async () => {
    const parent = sampleSession({ id: 'parent' });
    const path = join(home, 'store/parent.jsonl');
    await writeFiles(home, {
      'store/parent.jsonl': parent,
      'store/fork.jsonl': fork(parent, 'one', path),
    });
    await list('--usage');
    expect(await readFile(index, 'utf8')).toContain('fork.jsonl');
    expect(await readFile(index, 'utf8')).not.toContain('aaaaaaa2');
  });
});
