import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, rename, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { applyPrune, planPrune } from '../../../src/index.ts';
import { ClaudeCodeHome } from '../../commands/prune/claude-code-home.ts';
import { PruneWorld } from '../../commands/prune/prune-world.ts';
import { RemovalNote } from '../../../src/store/remove/removal-note.ts';
import { NOW, runTest } from '../../memory-terminal.ts';
import { FIXTURES } from '../../session/agents/codex/corpus.ts';
import { makeTempDir } from '../../temp-dir.ts';
import { asOrdinaryUser } from '../../ordinary-user.ts';

const now = () => NOW;

/** The codes of the problems that `applyPrune` hands on where an earlier run has left a note of rows to remove. */
async function applyBesideNote(): Promise<readonly string[]> {
  const home = join(await makeTempDir(), '.codex');
  await cp(join(FIXTURES, 'home'), home, { recursive: true });
  await new RemovalNote(join(home, 'rows')).add({ path: join(home, 'gone'), id: 'gone', count: 1 });
  const note = (await readdir(home)).find((name) => name.endsWith('coppice-leaving')) ?? '';
  // No note is so large.
  await truncate(join(home, note), 65 * 1024 * 1024);
  const later = { now: () => Date.now() + 30 * 86_400_000 };
  const plan = await planPrune([join(home, 'sessions')], { olderThan: '60y' }, later);
  const codes: string[] = [];
  const onProblem = ({ problem }: { readonly problem: { readonly code: string } }): void => {
    codes.push(problem.code);
  };
  await applyPrune(plan, {}, { ...later, onProblem });
  return codes;
}

describe('planPrune and applyPrune', () => {
  it('hand on what a run before them has left and they cannot remove', async () => {
    expect(await applyBesideNote()).toEqual(['EFBIG']);
  });

  it('decide as the command does, and remove what they decided', async () => {
    const world = await PruneWorld.make();
    for (const [id, days] of [
      ['aaaa', 40],
      ['bbbb', 50],
      ['cccc', 2],
    ] as const)
      await world.add(id, days);
    const plan = await planPrune([world.store], { olderThan: '30d', keepLast: 1 }, { now });
    const decided = plan.decisions.map(({ candidate, action, reasons }) => [
      candidate.id,
      `${action}: ${reasons.join(', ')}`,
    ]);
    expect(Object.fromEntries(decided)).toEqual(
      await world.prune('--older-than', '30d', '--keep-last', '1'),
    );
    const outcomes = await applyPrune(plan, { archive: join(world.dir, 'old') }, { now });
    expect(outcomes).toMatchObject([
      { path: world.path('aaaa'), action: 'remove', reasons: ['older than 30d'] },
      { path: world.path('bbbb'), action: 'remove', archived: expect.stringContaining('bbbb') },
    ]);
    expect(existsSync(world.path('aaaa'))).toBe(false);
    const restored = await runTest(
      ['prune', '--archive', 'old', '--restore', 'all', '--store', 'store'],
      { cwd: world.dir },
    );
    expect(restored.exitCode).toBe(0);
    expect(existsSync(world.path('aaaa'))).toBe(true);
  });

  it('keep a session that its agent finds over a link: what is beside that path is not seen', async () => {
    const claude = await ClaudeCodeHome.make();
    const own = join(claude.config, 'projects', '-home-u-demo-project');
    const elsewhere = join(claude.home, 'elsewhere');
    const plan = async (): Promise<ReadonlySet<string>> => {
      const rules = { largerThan: '1B', allowEmpty: true, includeParents: true };
      const { decisions } = await planPrune([elsewhere], rules, { now });
      expect(decisions.length).toBeGreaterThan(0);
      return new Set(decisions.map(({ action }) => action));
    };
    await rename(own, elsewhere);
    await claude.age();
    vi.stubEnv('CLAUDE_CONFIG_DIR', claude.config);
    try {
      expect(await plan()).toContain('remove');
      await symlink(elsewhere, own);
      expect(await plan()).toEqual(new Set(['keep']));
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('report each problem in one shard', async () => {
    const world = await PruneWorld.make();
    await world.add('aaaa', 40);
    const odd = Array.from({ length: 40 }, (_, at) => join(world.store, `odd-${at}.jsonl`));
    for (const path of odd) await writeFile(path, '', { mode: 0 });
    for (const one of [world.dir, world.store]) await chmod(one, 0o755);
    const list = async (shard?: string): Promise<readonly string[]> => {
      const rules = { olderThan: '30d', ...(shard !== undefined && { shard }) };
      const { problems } = await asOrdinaryUser(() => planPrune([world.store], rules, { now }));
      return problems.map(({ path }) => path);
    };
    const all = await list();
    expect(all.length).toBeGreaterThan(4);
    const apart = [await list('1/2'), await list('2/2')];
    expect(apart.flat().toSorted()).toEqual(all.toSorted());
    expect(apart.map(({ length }) => length)).not.toContain(0);
  });

  it('leave a session that has changed since', async () => {
    const world = await PruneWorld.make();
    await world.add('aaaa', 40);
    await world.add('cccc', 2);
    const plan = await planPrune([world.store], { olderThan: '30d' }, { now });
    await world.touch('proj/aaaa.jsonl', 39);
    const outcomes = await applyPrune(plan, { delete: true }, { now });
    expect(outcomes).toMatchObject([{ action: 'skip', reasons: ['changed since it was planned'] }]);
    expect(existsSync(world.path('aaaa'))).toBe(true);
  });

  it.each([
    [{ delete: true, dryRun: true }, 'dryRun: unknown option; use one of archive, delete'],
    [{ archiv: 'old' }, 'archiv: unknown option'],
    ['old', 'destination: expected an object; got "old"'],
    [{ delete: true, archive: 'old' }, 'delete: cannot be combined with archive'],
  ])('refuse the destination %j, and remove nothing', async (destination, message) => {
    const world = await PruneWorld.make();
    await world.add('aaaa', 40);
    const plan = await planPrune([world.store], { olderThan: '30d', allowEmpty: true }, { now });
    expect(plan.decisions).toMatchObject([{ action: 'remove' }]);
    const thrown = await applyPrune(plan, destination as never, { now }).catch((error) => error);
    expect(thrown).toBeInstanceOf(TypeError);
    expect((thrown as Error).message).toContain(message);
    expect(existsSync(world.path('aaaa'))).toBe(true);
  });

  it.each([
    [{}, 'rules: expected a selector, a keep rule or a budget; got none'],
    [{ keepId: [] }, 'rules: expected a selector, a keep rule or a budget; got none'],
    [{ project: '' }, 'project: expected a path; got ""'],
    [{ olderThen: '30d' }, 'olderThen: unknown option'],
    [{ olderThan: 30 }, 'olderThan: expected a text; got 30'],
    [{ olderThan: '30x' }, 'olderThan 30x: expected an age'],
    [{ keepLast: '3' }, 'keepLast: expected a whole number, 0 or more, or \'unlimited\'; got "3"'],
    [{ last: 3 }, 'last 3: in prune it selects the newest sessions'],
    [{ includeDamaged: true, empty: true }, 'includeDamaged: cannot be combined with empty'],
    [{ keepId: ['zzzz'] }, 'keepId zzzz: no session has this id'],
  ])('refuse the rules %j', async (rules, message) => {
    const { store } = await PruneWorld.make();
    await mkdir(store);
    const thrown = await planPrune([store], rules as never, { now }).catch((error) => error);
    expect(thrown).toBeInstanceOf(TypeError);
    expect((thrown as Error).message).toContain(message);
  });

  it.each([
    ['is gone', 'ENOENT', () => undefined],
    ['is behind a link that leads nowhere', 'ENOENT', (path: string) => symlink('/no/disk', path)],
    ['is a file', 'ENOTDIR', (path: string) => writeFile(path, '')],
  ])('refuse a store that %s: forks may be in it', async (_, code, make) => {
    const world = await PruneWorld.make();
    await world.add('aaaa', 40);
    const other = join(world.dir, 'other');
    await make(other);
    const planned = planPrune(
      [world.store, other],
      { largerThan: '1B', allowEmpty: true },
      { now },
    );
    await expect(planned).rejects.toMatchObject({ name: 'FileError', path: other, code });
  });

  it('refuse a store without a name, which would be the working directory', async () => {
    await expect(planPrune([''], { largerThan: '1B' })).rejects.toThrow('stores: expected a list');
  });
});
