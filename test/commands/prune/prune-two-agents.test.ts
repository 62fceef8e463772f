import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW, runTest } from '../../memory-terminal.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';

const DAY = 24 * 60 * 60 * 1000;
const [CLAUDE, NEOVATE] = ['aaaaaaaa-0000-4000-8000-000000000001', 'bbbbbbb1'];
const [OTHER_CLAUDE, OTHER_NEOVATE] = ['cccccccc-0000-4000-8000-000000000002', 'ddddddd2'];

let home: string;

/** One prompt of a session, of Claude Code or of Neovate by its id, said so many days ago. */
function prompt(sessionId: string, days: number): string {
  const message = { role: 'user', content: `prompt of ${sessionId}` };
  const own =
    sessionId.length > 8
      ? { type: 'user', isSidechain: false, cwd: '/w', message }
      : { type: 'message', ...message };
  const timestamp = new Date(NOW - days * DAY).toISOString();
  return toJsonl([
    { parentUuid: null, uuid: `${days} ${sessionId}`, sessionId, timestamp, ...own },
  ]);
}

/** The directory that sessions of both agents were restored into, as by `--restore all --store copy`. */
const inCopy = (name: string): string => join(home, 'copy', name);
const run = (...args: string[]) => runTest(['prune', ...args], { cwd: home, home });

beforeEach(async () => {
  home = await makeTempDir();
});

/** Sessions of both agents with checkpoints, each beside its copy. `projects`: the first parts of the names of projects. */
async function addBoth([claude = '', neovate = '']: readonly string[]): Promise<void> {
  await writeFiles(home, {
    [`copy/projects/${claude}1/${CLAUDE}.jsonl`]: prompt(CLAUDE, 90),
    [`copy/projects/${claude}1/${OTHER_CLAUDE}.jsonl`]: prompt(OTHER_CLAUDE, 80),
    [`copy/projects/${claude}2/${CLAUDE}.jsonl`]: prompt(CLAUDE, 90) + prompt(CLAUDE, 5),
    [`copy/projects/${neovate}1/${NEOVATE}.jsonl`]: prompt(NEOVATE, 90),
    [`copy/projects/${neovate}1/${OTHER_NEOVATE}.jsonl`]: prompt(OTHER_NEOVATE, 80),
    [`copy/projects/${neovate}2/${NEOVATE}.jsonl`]: prompt(NEOVATE, 90) + prompt(NEOVATE, 5),
  });
  for (const id of [CLAUDE, NEOVATE, OTHER_CLAUDE, OTHER_NEOVATE]) {
    await writeFiles(home, { [`copy/file-history/${id}/before@v1`]: id });
  }
}

describe.each([
  ['Claude Code', ['-a', 'b']],
  ['Neovate', ['-b', '-a']],
])('of two agents in one directory, of which %s comes first', (_, names) => {
  beforeEach(() => addBoth(names));

  it.each([['--delete'], ['--archive', 'old']])(
    'sessions go without what their copies have, too: %s',
    async (...to) => {
      const { exitCode, err } = await run(
        '--store',
        'copy/projects',
        '--older-than',
        '30d',
        '--include-parents',
        '--apply',
        ...to,
      );
      expect([exitCode, err]).toEqual([0, '']);
      const left = await readdir(inCopy('projects'), { recursive: true });
      expect(left.filter((name) => name.endsWith('.jsonl')).toSorted()).toEqual(
        [`${names[0]}2/${CLAUDE}.jsonl`, `${names[1]}2/${NEOVATE}.jsonl`].toSorted(),
      );
      expect((await readdir(inCopy('file-history'))).toSorted()).toEqual([CLAUDE, NEOVATE]);
    },
  );
});

it.each([CLAUDE, NEOVATE])(
  'restores no checkpoints beside another file of their session, after one of the other agent: %s',
  async (id) => {
    const other = id === CLAUDE ? OTHER_NEOVATE : OTHER_CLAUDE;
    // The archive is read in the order of its names.
    const [own, first] = [`.b/projects/-w/${id}.jsonl`, `.a/projects/-w/${other}.jsonl`];
    await writeFiles(home, {
      [first]: prompt(other, 90),
      [`.a/file-history/${other}/before@v1`]: other,
      [own]: prompt(id, 90),
      [`.b/file-history/${id}/before@v1`]: id,
    });
    for (const name of ['.a', '.b']) {
      const rules = ['--store', `${name}/projects`, '--older-than', '30d', '--allow-empty'];
      const removed = await run(...rules, '--archive', 'old', '--apply');
      expect([removed.exitCode, removed.err]).toEqual([0, '']);
    }
    await writeFiles(home, { [`copy/projects/-other/${id}.jsonl`]: prompt(id, 5) });
    const back = ['--archive', 'old', '--store', 'copy', '--jobs', '1'];
    const { err } = await run(...back, '--restore', other, '--restore', id);
    expect(err).toContain(`file-history/${id}/before@v1 is not, or not only, of its session`);
    expect(existsSync(inCopy(`file-history/${other}/before@v1`))).toBe(true);
    expect(existsSync(inCopy(`file-history/${id}/before@v1`))).toBe(false);
  },
);
