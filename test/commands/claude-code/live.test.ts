import { readFile, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const ID = 'aaaaaaaa-0000-4000-8000-000000000001';
const FILE = `.claude/projects/-w-old/${ID}.jsonl`;
const LINES = [
  { type: 'user', uuid: 'user-1', parentUuid: null, message: { role: 'user', content: 'Hello' } },
  { type: 'api-request', id: 'copy' },
].map((line) => `${JSON.stringify({ ...line, sessionId: ID, cwd: '/w/old' })}\n`);

it.each([
  ['fork', ID, '--in-place', '--name', 'Other'],
  ['compact', ID, '--force'],
  ['compact', ID, '--copies'],
  ['migrate', '--cwd', '/w/old=/w/new'],
])('skips a session that a living process has open: %s %s %s', async (...argv) => {
  const home = await makeTempDir();
  const note = { pid: process.pid, sessionId: ID, cwd: '/w/old', updatedAt: 1 };
  await writeFiles(home, {
    [FILE]: LINES.join(''),
    [`.claude/sessions/${process.pid}.json`]: JSON.stringify(note),
  });
  const path = join(home, FILE);
  await utimes(path, 1.7e9, 1.7e9);
  const now = (): number => Date.parse('2127-01-01T00:00:00Z');
  const { out } = await runTest([...argv, '--apply', '--json'], { home, cwd: home, now });
  const { results } = JSON.parse(out) as { results: readonly unknown[] };
  expect(results).toMatchObject([{ action: 'skip' }]);
  expect(await readFile(path, 'utf8')).toBe(LINES.join(''));
});

describe('a session whose sub-agent is at work', () => {
  const NOW = 1.7e12 + 86_400_000;
  const toLog = (sessionId: string): string =>
    `${JSON.stringify({ type: 'user', isSidechain: true, agentId: 'a1', uuid: 'u', sessionId })}\n`;
  const INSIDE = FILE.replace('.jsonl', '/subagents/agent-a1.jsonl');
  const BESIDE = FILE.replace(ID, 'agent-a1');

  /** What is done to the session, whose file is a day old, with a log that was written some minutes ago. */
  async function change(argv: readonly string[], log: string, owner: string, minutes: number) {
    const home = await makeTempDir();
    await writeFiles(home, { [FILE]: LINES.join(''), [log]: toLog(owner) });
    await utimes(join(home, FILE), 1.7e9, 1.7e9);
    const time = NOW / 1000 - minutes * 60;
    await utimes(join(home, log), time, time);
    const world = { home, cwd: home, now: () => NOW };
    const { out } = await runTest([...argv, ID, '--apply', '--json'], world);
    const { results } = JSON.parse(out) as { results: { action: string; reasons: string[] }[] };
    return results.map(({ action, reasons }) => [action, ...reasons].join(': '));
  }

  const WRITTEN = 'skip: a log of its sub-agents changed 5 min ago, within --grace 10min';
  const MOVE = ['migrate', '--cwd', '/w/old=/w/new'];
  const RENAME = ['fork', '--in-place', '--name', 'Other'];

  it.each([[MOVE], [RENAME], [['compact', '--copies']]])('is left alone by %j', async (argv) => {
    expect(await change(argv, INSIDE, ID, 5)).toEqual([WRITTEN]);
    expect(await change(argv, BESIDE, ID, 5)).toEqual([WRITTEN]);
  });

  it('is taken once the log is older, or of another session', async () => {
    expect((await change(RENAME, INSIDE, ID, 11)).join()).not.toContain('skip');
    expect((await change(RENAME, BESIDE, ID.replace(/1$/, '2'), 5)).join()).not.toContain('skip');
  });
});

describe('a second directory whose projects are those of the first', () => {
  const DAY = 86_400_000;
  const now = (): number => 1.7e12 + 60 * DAY;

  async function makeHome(files: Readonly<Record<string, object>>): Promise<string> {
    const home = await makeTempDir();
    const notes = Object.entries(files).map(([name, note]) => [name, JSON.stringify(note)]);
    const second = ID.replace(/1$/, '2');
    await writeFiles(home, {
      [FILE]: LINES.join(''),
      [FILE.replace(ID, second)]: LINES.join('').replaceAll(ID, second),
      ...Object.fromEntries(notes),
    });
    for (const id of [ID, second]) await utimes(join(home, FILE.replace(ID, id)), 1.7e9, 1.7e9);
    await symlink(join(home, '.claude/projects'), join(home, '.claude-work/projects'));
    return home;
  }

  async function explain(home: string): Promise<readonly unknown[]> {
    const argv = ['prune', '--agent', 'claude-code', '--older-than', '30d', '--json'];
    const { out } = await runTest(argv, { home, cwd: home, now, env: {} });
    const { results } = JSON.parse(out) as { results: { id: string; reasons: string[] }[] };
    return results.find(({ id }) => id === ID)?.reasons ?? [];
  }

  it('has a session open', async () => {
    const note = { pid: process.pid, sessionId: ID, cwd: '/w/old', updatedAt: 1 };
    const home = await makeHome({ [`.claude-work/sessions/${process.pid}.json`]: note });
    expect(await explain(home)).toEqual(['is open in its agent']);
  });

  it('has a session pinned', async () => {
    const home = await makeHome({ '.claude-work/jobs/pins.json': [ID.slice(0, 8)] });
    expect((await explain(home)).join()).toContain('pinned');
  });
});
