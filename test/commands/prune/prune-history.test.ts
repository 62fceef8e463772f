import {
  appendFile,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { getOwnPlace } from '../../../src/session/jsonl/files/process-place.ts';
import { NOW, runTest } from '../../memory-terminal.ts';
import { snapshot } from '../../store/archive/archive-fixture.ts';
import { makeTempDir } from '../../temp-dir.ts';

const FIXTURE = join(import.meta.dirname, '../../fixtures/claude-code/home/.claude');
const BRANCH = '9ea00f87-f67b-45df-9923-ae7bf95e99d0';
const ANOTHER = 'eeeeeeee-0000-4000-8000-000000000001';

let home: string;
let config: string;

const run = (...args: string[]) => runTest(args, { cwd: home, home });

/** Writes what a client notes of the session that it has open. */
const writeNote = (directory: string, content: object): Promise<void> =>
  writeFile(join(directory, 'sessions', `${process.pid}.json`), JSON.stringify(content));
const note = (content: object): Promise<void> => writeNote(config, content);

async function make(): Promise<void> {
  await cp(FIXTURE, config, { recursive: true });
  await rm(join(config, 'sessions', '4242.json'));
  for (const name of (await readdir(config, { recursive: true })).toReversed()) {
    await utimes(join(config, name), 1_790_000_000.123_456, 1_790_000_000.123_456);
  }
}

beforeEach(async () => {
  home = await makeTempDir();
  config = join(home, '.claude');
  await make();
});

/** Moves all that is in a trash of Linux back to the places that it came from. */
async function putBack(trash: string): Promise<void> {
  for (const name of await readdir(join(trash, 'info'))) {
    const [, path = ''] =
      /^Path=(.*)$/m.exec(await readFile(join(trash, 'info', name), 'utf8')) ?? [];
    await rename(join(trash, 'files', name.replace(/\.trashinfo$/, '')), decodeURIComponent(path));
  }
}

describe('prune --history', () => {
  const history = (): string => join(config, 'history.jsonl');
  const removed = [BRANCH, '62070c02-3ff3-438d-8a64-9ef9f43b5b5b'];
  const project = (): string => join(config, 'projects', '-home-u-demo-project');
  const remove = (...args: string[]) => {
    const targets = removed.map((id) => join(project(), `${id}.jsonl`));
    return run('prune', ...targets, '--older-than', '30d', '--include-parents', ...args);
  };
  const mentions = async (): Promise<boolean> => {
    const text = await readFile(history(), 'utf8');
    return removed.some((id) => text.includes(id));
  };

  it.each([
    ['in another project', `other/${BRANCH}.jsonl`],
    ['as a backup', `-home-u-demo-project/${BRANCH}.jsonl.bak`],
  ])('leaves the prompts of a session that is kept %s', async (_, copy) => {
    await cp(join(project(), `${BRANCH}.jsonl`), join(config, 'projects', copy));
    await remove('--history', '--apply', '--delete');
    const text = await readFile(history(), 'utf8');
    expect(removed.map((id) => text.includes(id))).toEqual([true, false]);
  });

  it('takes the prompts of a session all files of which are removed', async () => {
    await cp(join(project(), `${BRANCH}.jsonl`), join(config, 'projects', 'x', `${BRANCH}.jsonl`));
    const args = ['--older-than', '1d', '--allow-empty', '--history', '--apply', '--delete'];
    const { exitCode, err } = await run('prune', ...args);
    expect([exitCode, err]).toEqual([0, expect.not.stringContaining('kept')]);
    expect(await readFile(history(), 'utf8')).not.toContain(BRANCH);
  });

  it('takes the prompts of a session and of its copy, each with a folder, and brings them back', async () => {
    const copy = join(config, 'projects', 'x', BRANCH);
    await cp(join(project(), `${BRANCH}.jsonl`), `${copy}.jsonl`);
    await cp(join(project(), BRANCH), copy, { recursive: true });
    const before = await readFile(history(), 'utf8');
    const archive = ['--archive', join(home, 'old')];
    const args = ['--older-than', '1d', '--allow-empty', '--history', '--apply'];
    await run('prune', ...args, ...archive);
    expect(await readFile(history(), 'utf8')).not.toContain(BRANCH);
    const { exitCode, err } = await run('prune', ...archive, '--restore', 'all');
    expect([exitCode, err]).toEqual([0, '']);
    expect(await readFile(history(), 'utf8')).toBe(before);
  });

  it('takes the prompts of removed sessions out of the list, and brings them back by their time', async () => {
    const before = await snapshot(config);
    const preview = await remove('--history');
    expect(preview.out).toContain('with 3 prompts from the prompt history');
    expect(await snapshot(config)).toEqual(before);
    const done = await remove('--history', '--archive', 'archive', '--apply');
    expect(done.exitCode).toBe(0);
    expect(await mentions()).toBe(false);
    expect((await readFile(history(), 'utf8')).split('\n')).toHaveLength(8);
    const restored = await run('prune', '--archive', 'archive', '--restore', 'all', '--json');
    expect(restored.out).toContain('with 3 prompts from the prompt history');
    const asBefore = async (): Promise<boolean> => {
      const after = await snapshot(config);
      expect(Object.keys(after)).toEqual(Object.keys(before));
      return after['history.jsonl'] === before['history.jsonl'];
    };
    expect(await asBefore()).toBe(true);
    await run('prune', '--archive', 'archive', '--restore', 'all');
    expect(await asBefore()).toBe(true);
  });

  it('keeps them in the trash beside the session, and nowhere with --delete', async () => {
    await remove('--history', '--apply');
    const trash = join(home, '.local', 'share', 'Trash', 'files');
    expect((await readdir(trash)).join()).toContain(`${BRANCH}.jsonl.prompts`);
    expect(await mentions()).toBe(false);
    await rm(config, { recursive: true });
    await make();
    await remove('--history', '--delete', '--apply');
    expect(await mentions()).toBe(false);
    expect((await readdir(config, { recursive: true })).join()).not.toContain('.prompts');
  });

  it('has them again from the files that came back from the trash beside their sessions', async () => {
    const before = await readFile(history(), 'utf8');
    await remove('--history', '--apply');
    await putBack(join(home, '.local', 'share', 'Trash'));
    const names = (await readdir(project())).filter((name) => name.endsWith('.prompts'));
    const files = names.map((name) => join(project(), name));
    expect(files).toHaveLength(removed.length);
    const named = files.flatMap((file) => ['--restore', file]);
    const restore = (...args: string[]) => run('prune', ...named, ...args);
    const preview = await restore('--dry-run', '--json');
    expect([preview.exitCode, preview.out]).toEqual([0, expect.stringContaining('"restore"')]);
    expect(await mentions()).toBe(false);
    // An archive of a configuration, into which other sessions go.
    await writeFile(join(home, 'own.json'), '{"prune":{"archive":"old"}}');
    const done = await restore('--config', join(home, 'own.json'));
    expect([done.exitCode, done.out]).toEqual([0, expect.stringContaining('Restored 2 of 2')]);
    expect(await readFile(history(), 'utf8')).toBe(before);
    expect((await readdir(project())).filter((name) => name.endsWith('.prompts'))).toEqual([]);
    const again = await restore();
    expect([again.exitCode, again.err]).toEqual([3, expect.stringContaining('no such file')]);
  });

  it('are not taken from a file without a session, or beside one that has none', async () => {
    const list = await readFile(history(), 'utf8');
    const [alone, pi] = ['alone.jsonl.prompts', 'pi.jsonl.prompts'].map((name) => join(home, name));
    await writeFile(alone ?? '', list);
    await writeFile(pi ?? '', list);
    await writeFile(join(home, 'pi.jsonl'), '{"type":"session","id":"x","cwd":"/w"}\n');
    const { exitCode, err } = await run('prune', '--restore', alone ?? '', '--restore', pi ?? '');
    expect(exitCode).toBe(3);
    expect(err).toContain('pi.jsonl.prompts: is not beside a session whose agent keeps a list');
    expect(err).toContain('alone.jsonl.prompts: is not beside a session');
    expect(await readFile(history(), 'utf8')).toBe(list);
  });

  it.each([[], ['--dry-run']])(
    'are in no list of a session that is elsewhere: %s',
    async (...args) => {
      const [session, file] = ['', '.prompts'].map((one) =>
        join(home, 'moved', `${BRANCH}.jsonl${one}`),
      );
      await cp(join(project(), `${BRANCH}.jsonl`), session ?? '');
      const list = await readFile(history(), 'utf8');
      await writeFile(file ?? '', list);
      const { exitCode, err } = await run('prune', '--restore', file ?? '', ...args);
      expect([exitCode, err]).toEqual([
        3,
        expect.stringContaining('keeps a list of prompts there'),
      ]);
      expect(await readFile(file ?? '', 'utf8')).toBe(list);
    },
  );

  it('adds them to those that wait beside the session, each once and every byte as it was', async () => {
    const list = await readFile(history(), 'latin1');
    const own = list.split('\n').find((line) => line.includes(BRANCH));
    const old = `{"display":"\xe9","timestamp":1,"sessionId":"${BRANCH}"}`;
    const waiting = join(project(), `${BRANCH}.jsonl.prompts`);
    await writeFile(waiting, `${old}\n${own}\n`, 'latin1');
    await utimes(waiting, 1_790_000_000, 1_790_000_000);
    await remove('--history', '--archive', 'archive', '--apply');
    expect(await mentions()).toBe(false);
    await run('prune', '--archive', 'archive', '--restore', 'all');
    expect(await readFile(history(), 'latin1')).toBe(`${old}\n${list}`);
  });

  it('is left alone unless it is asked for', async () => {
    await remove('--delete', '--apply');
    expect(await mentions()).toBe(true);
  });

  it('is refused while any client runs, whatever session that has open', async () => {
    await note({ sessionId: ANOTHER });
    const before = await snapshot(config);
    for (const args of [[], ['--apply', '--delete']]) {
      const { exitCode, err } = await remove('--history', ...args);
      expect([exitCode, err]).toEqual([2, expect.stringContaining('nothing was removed')]);
    }
    expect(await snapshot(config)).toEqual(before);
  });

  it('is refused while a client of another directory runs that has the list by a link', async () => {
    const work = join(home, '.claude-work');
    for (const name of ['projects', 'sessions']) await mkdir(join(work, name), { recursive: true });
    await symlink(history(), join(work, 'history.jsonl'));
    await rm(join(config, 'sessions'), { recursive: true });
    await writeNote(work, { sessionId: ANOTHER });
    const before = await snapshot(config);
    const { exitCode, err } = await remove('--history', '--apply', '--delete');
    expect([exitCode, err]).toEqual([2, expect.stringContaining(work)]);
    expect(await snapshot(config)).toEqual(before);
  });

  it('leaves prompts beside a restored session while a client runs, until the next time', async () => {
    await remove('--history', '--archive', 'archive', '--apply');
    await note({ sessionId: ANOTHER });
    const busy = await run('prune', '--archive', 'archive', '--restore', 'all');
    expect(busy).toMatchObject({ exitCode: 3 });
    expect(busy.err).toContain('can be changed only while no agent runs');
    expect(await readdir(project())).toContain(`${BRANCH}.jsonl.prompts`);
    await rm(join(config, 'sessions', `${process.pid}.json`));
    await run('prune', '--archive', 'archive', '--restore', 'all');
    expect(await readdir(project())).not.toContain(`${BRANCH}.jsonl.prompts`);
    expect(await mentions()).toBe(true);
  });

  it('removes what a restore that was killed has left beside the list', async () => {
    await remove('--history', '--archive', 'archive', '--apply');
    // No process has such an id.
    const name = `.history.jsonl.4194999@${getOwnPlace()}.0123456789ab.coppice-tmp`;
    await writeFile(join(config, name), 'half');
    await run('prune', '--archive', 'archive', '--restore', 'all');
    expect(await mentions()).toBe(true);
    expect(await readdir(config)).not.toContain(name);
  });

  const putOfPi = async (store: string): Promise<void> => {
    await mkdir(store, { recursive: true });
    const header = { type: 'session', version: 3, id: 'a', timestamp: new Date(0), cwd: '/' };
    await writeFile(join(store, 'a.jsonl'), `${JSON.stringify(header)}\n`);
    await utimes(join(store, 'a.jsonl'), NOW / 1000, NOW / 1000);
  };

  it.each([
    ['where no session is left', false],
    ['where only sessions of an agent without such a list are', true],
  ])('takes what a run that was killed has left, also %s', async (_, hasOther) => {
    const list = await readFile(history(), 'utf8');
    const all = ['prune', '--older-than', '1d', '--allow-empty', '--delete', '--apply'];
    await run(...all);
    // It was just written, so it is kept.
    if (hasOther) await putOfPi(join(home, '.pi/agent/sessions/--p--'));
    const noted = { path: join(project(), `${BRANCH}.jsonl`), id: BRANCH, count: 9 };
    // No process has such an id.
    const name = `.history.jsonl.4194999@${getOwnPlace()}.0123456789ab.coppice-leaving`;
    await writeFile(join(config, name), `${JSON.stringify(noted)}\n`);
    const { exitCode } = await run(...all, '--history');
    expect(exitCode).toBe(0);
    const left = list.split('\n').filter((line) => !line.includes(BRANCH));
    expect((await readFile(history(), 'utf8')).split('\n')).toEqual(left);
    expect(await readdir(config)).not.toContain(name);
  });

  it('takes the prompts of a session, too, that another one waits for', async () => {
    const old = 1_780_000_000;
    const put = async (id: string, content: string, at: number): Promise<void> => {
      const timestamp = new Date(at * 1000).toISOString();
      const message = { role: 'user', content };
      const line = { type: 'user', uuid: id, parentUuid: null, sessionId: id, timestamp, message };
      await writeFile(join(project(), `${id}.jsonl`), `${JSON.stringify(line)}\n`);
      await utimes(join(project(), `${id}.jsonl`), at, at);
      await appendFile(history(), `{"display":"x","timestamp":1,"sessionId":"${id}"}\n`);
    };
    const result = join(project(), ANOTHER, 'tool-results', 'x.txt');
    await mkdir(dirname(result), { recursive: true });
    await writeFile(result, 'long');
    const referring = ANOTHER.replace(/1$/, '2');
    await put(ANOTHER, 'Hi', old + 9);
    await put(referring, `See ${result}`, old);
    for (const path of [result, dirname(result), dirname(dirname(result))])
      await utimes(path, old, old);
    const targets = [ANOTHER, referring].map((id) => join(project(), `${id}.jsonl`));
    const argv = [...targets, '--older-than', '30d', '--history', '--archive', 'archive'];
    const { out, exitCode } = await run('prune', ...argv, '--apply', '--json');
    const { results } = JSON.parse(out) as { results: readonly { readonly action: string }[] };
    expect([exitCode, results.map(({ action }) => action)]).toEqual([0, ['remove', 'remove']]);
    expect(await readFile(history(), 'utf8')).not.toContain(referring);
    await run('prune', '--archive', 'archive', '--restore', 'all');
    expect(await readFile(history(), 'utf8')).toContain(referring);
  });

  it('goes on for other agents once no session is left of the one that keeps such a list', async () => {
    const store = join(home, '.pi/agent/sessions/--p--');
    await putOfPi(store);
    await utimes(join(store, 'a.jsonl'), 0, 0);
    await rm(join(config, 'projects'), { recursive: true });
    await mkdir(join(config, 'projects'));
    const args = ['--older-than', '1d', '--allow-empty', '--history', '--apply', '--delete'];
    const { out, exitCode } = await run('prune', ...args);
    expect([exitCode, out]).toEqual([0, expect.stringContaining('Removed 1 of 1 session')]);
  });

  it('is refused where no agent keeps such a list', async () => {
    const store = join(home, 'pi');
    await putOfPi(store);
    const { exitCode, err } = await run('prune', '--store', store, '--empty', '--history');
    expect([exitCode, err]).toEqual([2, expect.stringContaining('none of these agents')]);
  });
});
