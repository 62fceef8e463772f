import { basename } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { PruneWorld } from '../prune/prune-world.ts';

let world: PruneWorld;

beforeEach(async () => {
  world = await PruneWorld.make();
  for (const [at, id] of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].entries()) {
    await world.add(id, 50 + at);
  }
});

describe('--shard auto', () => {
  it('names what has stated the part, but not with --quiet', async () => {
    const env = { CI_NODE_INDEX: '2', CI_NODE_TOTAL: '3' };
    const ask = (...args: string[]) =>
      runTest(['list', '--store', world.store, '--json', ...args], { cwd: world.dir, env });
    const auto = await ask('--shard', 'auto');
    expect(auto.err).toBe('coppice: --shard auto: part 2 of 3, from a parallel GitLab job\n');
    expect((await ask('--shard', 'auto', '--quiet')).err).toBe('');
    expect(auto.out).toBe((await ask('--shard', '2/3')).out);
  });

  it('is refused without an engine, before anything is read', async () => {
    const run = await runTest(['list', '--store', world.store, '--shard', 'auto'], {
      cwd: world.dir,
    });
    expect([run.exitCode, run.out]).toEqual([2, '']);
    expect(run.err).toContain('found no job engine');
  });
});

describe('prune in shards', () => {
  const prune = (...args: string[]): Promise<Record<string, string>> =>
    world.prune('--keep-last', '3', '--apply', '--delete', ...args);

  const listLeft = async (): Promise<string[]> =>
    (await world.names())
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => basename(name, '.jsonl'));

  it('keeps what one run over everything keeps, however often a shard is run', async () => {
    for (const shard of ['2/3', '2/3', '1/3', '3/3', '1/3']) await prune('--shard', shard);
    expect(await listLeft()).toEqual(['a', 'b', 'c']);
  });

  it('applies one plan in parts, each time the same', async () => {
    const plan = ['--plan-out', 'plan.json'];
    expect((await world.run(['--store', 'store', '--max-sessions', '2', ...plan])).exitCode).toBe(
      0,
    );
    const apply = (shard: string) =>
      world.run(['--plan', 'plan.json', '--apply', '--delete', '--shard', shard]);
    for (const shard of ['2/3', '1/3', '1/3', '3/3']) {
      expect(await apply(shard)).toMatchObject({ exitCode: 0, err: '' });
    }
    expect(await listLeft()).toEqual(['a', 'b']);
  });

  it.each([
    ['--last 2', '--project', '/'],
    ['--max-sessions 2', '--older-than', '1d'],
    ['--max-total-size 1MB', '--grace', '1d'],
  ])('refuses %s, which is met by others once a shard is done', async (rule, ...more) => {
    const args = ['--store', 'store', ...rule.split(' '), ...more, '--shard', '1/3'];
    const { exitCode, err } = await world.run(args);
    expect([exitCode, err]).toEqual([
      2,
      expect.stringContaining(`${rule}: cannot be combined with`),
    ]);
    expect(err).toContain('--plan <file> --shard 1/3');
  });
});
