import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { getRecorded } from '../../session/agents/neovate/recorded.ts';
import { writeFiles } from '../../temp-dir.ts';
import { makeHome, type NeovateHome, PROJECT, REQUESTS } from './world.ts';

let world: NeovateHome;

beforeEach(async () => {
  world = await makeHome({ withPi: true });
});

async function prune(...args: string[]): Promise<ReadonlyMap<unknown, unknown>> {
  const results = await world.results('prune', ...args);
  return new Map(results.map(({ id, action }) => [id, action]));
}

describe('prune, of both agents in one go', () => {
  it('keeps sessions that have a title', async () => {
    const decided = await prune('--older-than', '1d', '--keep-named');
    expect(Object.fromEntries(decided)).toEqual({
      cec9cd23: 'keep',
      d764940e: 'remove',
      f05de3d5: 'keep',
      '80c4e9fa': 'remove',
      // The last of its store.
      'pi-one': 'keep',
    });
  });

  it('takes the age from when the file was written', async () => {
    const decided = await prune('--older-than', '2026-11-30T22:30:00Z', '--agent', 'neovate');
    expect(decided.get('d764940e')).toBe('keep');
    expect(decided.get('80c4e9fa')).toBe('remove');
  });

  it('removes sessions whose working directory is gone, and none of which that is not known', async () => {
    expect((await prune('--missing-cwd', '--agent', 'neovate')).get('f05de3d5')).toBe('remove');
    await writeFiles(world.home, { '.neovate/data.json': '{}' });
    const decided = await prune('--missing-cwd', '--agent', 'neovate');
    expect([...decided.values()]).not.toContain('remove');
  });

  it('never removes what the agent would not open', async () => {
    await writeFiles(world.home, {
      [`${PROJECT}/00000000.jsonl`]: getRecorded('broken-torn-last-line').text,
    });
    const decided = await prune('--older-than', '2099-01-01', '--grace', '0min', '--allow-empty');
    expect(decided.get('00000000')).toBe('keep');
  });

  it('archives and restores, byte for byte, and leaves request logs alone', async () => {
    const path = join(world.home, PROJECT, 'd764940e.jsonl');
    const log = await readFile(join(world.home, REQUESTS));
    const before = await readFile(path);
    const archive = ['--archive', join(world.home, 'archive'), '--apply'];
    expect((await prune('--older-than', '1d', '--keep-named', ...archive)).get('d764940e')).toBe(
      'remove',
    );
    await expect(readFile(path)).rejects.toThrow('ENOENT');
    await world.run('prune', '--restore', 'd764940e', ...archive);
    expect(await readFile(path)).toEqual(before);
    expect(await readFile(join(world.home, REQUESTS))).toEqual(log);
  });
});
