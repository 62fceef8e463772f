import { mkdir, symlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NOW } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { writeFiles } from '../../temp-dir.ts';
import type { PruneAnswer } from './claude-code-home.ts';
import { PruneWorld } from './prune-world.ts';

const STORE = '.pi/agent/sessions';
const RULES = ['--larger-than', '1B', '--grace', '0s', '--allow-empty', '--json'];

async function makeWorld(): Promise<PruneWorld> {
  const world = await PruneWorld.make();
  const path = join(STORE, '-p/x.jsonl');
  await writeFiles(world.dir, { [path]: sampleSession({ id: 'x', text: 'work' }) });
  await utimes(join(world.dir, path), NOW / 1000 - 60, NOW / 1000 - 60);
  return world;
}

async function decide(world: PruneWorld, env: Record<string, string> = {}): Promise<string> {
  const args = ['--store', join(world.dir, STORE), ...RULES];
  const { out, exitCode } = await world.run(args, { home: world.dir, env });
  const { results } = JSON.parse(out) as { readonly results: readonly PruneAnswer[] };
  const [found] = results;
  const reasons = found?.action === 'keep' ? found.reasons : [];
  return [exitCode, found?.action, ...reasons].join(' ');
}

describe('sessions that oh-my-pi reaches by a link', () => {
  it.each([
    ['.omp/agent/sessions', '.omp/agent', undefined, ''],
    ['.omp/profiles/work/agent/sessions', '.omp/profiles/work/agent', undefined, ''],
    ['share/omp/sessions', '.omp/agent', 'XDG_DATA_HOME', 'share'],
    ['share/omp/profiles/work/sessions', '.omp/profiles/work/agent', 'XDG_DATA_HOME', 'share'],
    ['own/sessions', 'own', 'PI_CODING_AGENT_DIR', 'own'],
  ])('such as %s are kept where %s pins them', async (link, agent, name = 'UNSET', value) => {
    const world = await makeWorld();
    await mkdir(dirname(join(world.dir, link)), { recursive: true });
    await symlink(join(world.dir, STORE), join(world.dir, link));
    const withPins = async (pins: string): Promise<string> => {
      await writeFiles(world.dir, { [`${agent}/session-pins.json`]: pins });
      return decide(world, { [name]: join(world.dir, value) });
    };
    expect(await withPins('["y"]')).toBe('0 remove');
    expect(await withPins('["x"]')).toBe('0 keep is pinned (--include-pinned)');
    expect(await withPins('["x')).toContain('could not be read, and may pin it');
  });

  it('are kept if the profiles of oh-my-pi cannot be listed', async () => {
    const world = await makeWorld();
    await mkdir(join(world.dir, '.omp'));
    expect(await decide(world)).toBe('0 remove');
    await symlink('profiles', join(world.dir, '.omp/profiles'));
    expect(await decide(world)).toContain('profiles could not be read, and may pin it');
  });
});
