import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir } from '../../temp-dir.ts';

const HOME = fileURLToPath(new URL('../../fixtures/claude-code/home', import.meta.url));
const PROJECT = '.claude/projects/-home-u-demo-project';
const TASKS = 'aaaaaaaa-0000-4000-8000-000000000004';

interface Finding {
  readonly path: string;
  readonly rule: string;
  readonly level: string;
}

const byPath = (a: readonly string[], b: readonly string[]): number =>
  (a[0] ?? '') < (b[0] ?? '') ? -1 : 1;

describe('validate of a home of Claude Code', () => {
  it('reports sidecars whose session is gone, and notes of processes that are gone', async () => {
    const home = await makeTempDir();
    await cp(HOME, home, { recursive: true });
    await rm(join(home, PROJECT, `${TASKS}.jsonl`));
    const sessions = join(home, '.claude/sessions');
    // No system has so many processes.
    const note = join(sessions, '2000000000.json');
    await writeFile(note, JSON.stringify({ pid: 2_000_000_000, sessionId: TASKS }));
    await writeFile(join(sessions, `${process.pid}.json`), JSON.stringify({ sessionId: TASKS }));
    await rm(join(sessions, '4242.json'));
    let input = '';
    const find = async (...args: string[]) => {
      const { out, exitCode } = await runTest(['validate', '--json', '--jobs', '1', ...args], {
        cwd: home,
        home,
        input,
      });
      const { results, summary } = JSON.parse(out) as {
        readonly results: readonly Finding[];
        readonly summary: { readonly sessions: number };
      };
      const beside = results.filter(({ rule }) => /^(?:sidecar-orphaned|note-stale)$/.test(rule));
      const shown = beside.map(({ path, rule, level }) => [
        path.slice(join(home, '.claude').length + 1),
        rule,
        level,
      ]);
      return { shown, exitCode, sessions: summary.sessions };
    };
    const orphans = [
      ['projects/-home-u-old-project/agent-1a66a72e.jsonl', 'sidecar-orphaned', 'warning'],
      [`tasks/${TASKS}`, 'sidecar-orphaned', 'warning'],
    ];
    const all = await find();
    expect(all.shown.toSorted(byPath)).toEqual(
      [...orphans, ['sessions/2000000000.json', 'note-stale', 'info']].toSorted(byPath),
    );
    expect(all.sessions).toBe(5);
    expect((await find('--rule', 'sidecar-orphaned=error')).exitCode).toBe(1);
    const off = await find('--rule', 'sidecar-orphaned=off', '--rule', 'note-stale=off');
    expect(off.shown).toEqual([]);
    // They are of no session that is selected, and of no other agent.
    for (const args of [
      ['--project', '/home/u'],
      ['--agent', 'pi'],
      ['--last', '1'],
    ]) {
      expect((await find(...args)).shown).toEqual([]);
    }
    expect(
      (await find(join(home, '.claude/projects'), '--agent', 'claude-code')).shown,
    ).toHaveLength(3);
    input = '.claude/projects\n';
    expect((await find('-')).shown).toHaveLength(3);
  });

  it('takes a stray empty file for an information, and never removes it', async () => {
    const home = await makeTempDir();
    const stray = join(home, PROJECT, '5e551011-0000-4000-8000-000000000009.jsonl');
    await mkdir(dirname(stray), { recursive: true });
    await writeFile(stray, '');
    await writeFile(join(home, 'other.jsonl'), '');
    const world = { cwd: home, home };
    const { out } = await runTest(['validate', stray, 'other.jsonl', '--json'], world);
    const { results } = JSON.parse(out) as { readonly results: readonly Finding[] };
    const levels = results.map(({ rule, level }) => [rule, level]).toSorted(byPath);
    expect(levels.map(([rule]) => rule)).toEqual(['file-empty', 'file-empty']);
    expect(new Set(levels.map(([, level]) => level))).toEqual(new Set(['info', 'warning']));
    await runTest(['prune', '--empty', '--grace', '0s', '--delete', '--apply'], world);
    expect(await readdir(dirname(stray))).toHaveLength(1);
  });
});
