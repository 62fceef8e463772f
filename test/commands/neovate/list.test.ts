import { beforeEach, describe, expect, it } from 'vitest';
import { writeFiles } from '../../temp-dir.ts';
import { LATEST, makeHome, type NeovateHome, PROJECT, REQUESTS } from './world.ts';

let world: NeovateHome;

async function list(key: string, ...args: string[]): Promise<readonly unknown[]> {
  return (await world.results('list', ...args)).map((row) => row[key]);
}

beforeEach(async () => {
  world = await makeHome();
});

describe('list, of a home directory of Neovate', () => {
  it('answers as the real listing did, in its order', async () => {
    expect(await list('id')).toEqual(LATEST);
    expect(await list('messageCount')).toEqual([10, 1, 11, 14]);
    expect(await list('name')).toEqual(['Questions on sum.js', null, 'Sorting helper', null]);
  });

  it('prints no field that only the commands need', async () => {
    const [row] = await world.results('list');
    expect(row).not.toHaveProperty('listedByFile');
  });

  it('knows the working directory from the history of what was typed', async () => {
    expect(new Set(await list('cwd'))).toEqual(new Set(['/home/u/demo-project']));
    expect(await list('id', '--project', '/home/u')).toHaveLength(4);
    expect(await list('id', '--project', '/home/other')).toHaveLength(0);
  });

  it('does without that history where it is gone or broken', async () => {
    await writeFiles(world.home, { '.neovate/data.json': '{"projects":' });
    expect(await list('cwd')).toEqual(['', '', '', '']);
  });

  it('never takes a request log for a session', async () => {
    expect(await list('id', PROJECT)).toEqual(LATEST);
    const { out, exitCode } = await world.run('list', '--json', REQUESTS);
    expect(exitCode).toBe(3);
    expect(out).toContain('not-a-session');
  });

  it('finds a session by its id', async () => {
    expect(await list('agent', 'f05d')).toEqual(['neovate']);
  });

  it('shows the tree of one, with its branches, and what stands beside it when asked', async () => {
    const { out } = await world.run('list', 'f05de3d5', '--entries');
    expect(out).toContain('◦ user       Use bubble sort instead');
    expect(out).toContain('• user       Use merge sort instead');
    expect(out).not.toContain('config');
    const all = await world.run('list', 'f05de3d5', '--entries', '--filter', 'all');
    expect(all.out).toContain('config');
  });
});

describe('list, of the homes of both agents', () => {
  it('lists all in one go, or those of one', async () => {
    world = await makeHome({ withPi: true });
    expect(await list('agent')).toEqual([...LATEST.map(() => 'neovate'), 'pi']);
    expect(await list('id', '--agent', 'pi')).toEqual(['pi-one']);
    expect(await list('id', '--agent', 'neovate')).toEqual(LATEST);
  });
});
