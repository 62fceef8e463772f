import { beforeEach, describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { writeFiles } from '../../temp-dir.ts';
import { PruneWorld } from './prune-world.ts';

let world: PruneWorld;
const run = (...args: string[]) => runTest(args, { cwd: world.dir });

const TIME = '2026-01-01T00:00:00.000Z';
const ARRAY = [
  { type: 'session', id: 'arr-1', timestamp: TIME, cwd: '/p' },
  { type: 'message', timestamp: TIME, message: { role: 'user', content: 'Hi', timestamp: 1 } },
];

beforeEach(async () => {
  world = await PruneWorld.make();
  await writeFiles(world.store, { 'proj/arr-1.json': JSON.stringify(ARRAY) });
  await world.touch('proj/arr-1.json', 50);
  await run('migrate', '--store', 'store', '--apply');
  await world.touch('proj/arr-1.jsonl', 50);
});

describe('an array file beside the session that was made of it', () => {
  it('is not the one that prune keeps, and takes no part in a budget', async () => {
    for (const rules of [
      ['--keep-last', '1'],
      ['--max-sessions', '1'],
    ]) {
      const { out } = await world.run(['--store', 'store', '--json', '--allow-empty', ...rules]);
      const { results } = JSON.parse(out) as { results: { path: string; action: string }[] };
      expect(results.map(({ action }) => action)).toEqual(['keep', 'keep']);
    }
    const found = await world.run(['--store', 'store', '--keep-last', '1', '--json']);
    expect(found.out).toContain('coppice migrate has replaced');
  });

  it('is not a second session in a list', async () => {
    const { out } = await run('list', '--store', 'store');
    expect(out).toContain('1 session,');
    expect(out).not.toContain('old format');
  });

  it('does not make the id ambiguous', async () => {
    const { out } = await run('list', '--store', 'store', 'arr-1', '--paths');
    expect(out).toBe(`${world.path('arr-1')}\n`);
  });

  it('can be named', async () => {
    const { out } = await run('list', 'store/proj/arr-1.json', 'store/proj/arr-1.jsonl', '--paths');
    expect(out.split('\n')).toHaveLength(3);
  });
});
