import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { ClaudeCodeHome, TASKS } from './claude-code-home.ts';

let world: ClaudeCodeHome;
let session: string;

beforeEach(async () => {
  world = await ClaudeCodeHome.make();
  session = join(world.config, 'projects', '-home-u-demo-project', `${TASKS}.jsonl`);
});

/** Writes lines that name the session, into a file beside it. */
async function putBeside(suffix: string): Promise<void> {
  const line = (await readFile(session, 'utf8')).split('\n').find((one) => one !== '');
  await writeFile(session + suffix, `${line}\n`);
  await world.age();
}

it.each(['.rejected', '.prompts'])(
  'removes all of a session that its own %s names',
  async (suffix) => {
    await putBeside(suffix);
    const { out, err } = await world.run(
      'prune',
      session,
      '--older-than',
      '30d',
      '--apply',
      '--delete',
    );
    expect({ out, err }).toMatchObject({ out: expect.stringContaining('Removed 1 of'), err: '' });
    expect(await world.listBelow(TASKS)).toEqual([]);
  },
);

it('completes a restore that was killed once the lines beside the session were there', async () => {
  await putBeside('.rejected');
  const lines = await readFile(`${session}.rejected`);
  const before = await world.listBelow(TASKS);
  const archive = join(world.home, 'archive');
  await world.run('prune', session, '--older-than', '30d', '--apply', '--archive', archive);
  await mkdir(dirname(session), { recursive: true });
  await writeFile(`${session}.rejected`, lines);
  const { exitCode, err } = await world.run('prune', '--archive', archive, '--restore', TASKS);
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
  expect((await world.listBelow(TASKS)).toSorted()).toEqual(before.toSorted());
});

it('fails where the note of a process that lives cannot be read', async () => {
  const note = join(world.config, 'sessions', `${process.pid}.json`);
  await symlink(note, note);
  const args = ['prune', session, '--older-than', '30d', '--apply', '--delete'];
  const kept = await world.run(...args);
  expect(kept).toMatchObject({ exitCode: 3, err: expect.stringContaining('sessions/') });
  expect(await world.listBelow(TASKS)).not.toEqual([]);
  await rm(note);
  expect(await world.run(...args)).toMatchObject({ exitCode: 0 });
});
