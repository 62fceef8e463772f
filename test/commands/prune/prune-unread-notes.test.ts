import { chmod, mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { type PruneResult } from '../../../src/report/prune/columns.ts';
import { runTest } from '../../memory-terminal.ts';
import { asOrdinaryUser, shareNewFiles } from '../../ordinary-user.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

shareNewFiles();

const [NOTED, PLAIN] = ['a', 'b'].map(
  (letter) => `${letter.repeat(8)}-0000-4000-8000-000000000001`,
);
const PROJECT = '.claude/projects/-w';
const THREAD =
  'sessions/2026/01/01/rollout-2026-01-01T10-00-00-01a1fff1-77da-7ae2-8853-7934d5b198c0';
const OLD = ['prune', '--grace', '0', '--allow-empty', '--include-pinned', '--json'];

function toLines(sessionId = ''): string {
  const facts = { isSidechain: false, cwd: '/w', version: '2.1.332', userType: 'external' };
  const message = { role: 'user', content: `Hello. ${sessionId}` };
  const line = { type: 'user', message, parentUuid: null, uuid: sessionId, sessionId };
  return `${JSON.stringify({ ...line, timestamp: '2026-01-01T10:00:00.000Z', ...facts })}\n`;
}

function toRollout(): string {
  const timestamp = '2026-01-01T10:00:00.000Z';
  const id = THREAD.slice(-36);
  const facts = { cwd: '/w', originator: 'cli', cli_version: '0.100.0' };
  const header = { type: 'session_meta', payload: { id, timestamp, ...facts } };
  const message = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi.' }] };
  const lines = [header, { type: 'response_item', payload: message }];
  return lines.map((line) => `${JSON.stringify({ timestamp, ...line })}\n`).join('');
}

/** Old sessions of three agents. */
async function makeHome(): Promise<string> {
  const home = await makeTempDir();
  await writeFiles(home, {
    [`${PROJECT}/${NOTED}.jsonl`]: toLines(NOTED),
    [`${PROJECT}/${PLAIN}.jsonl`]: toLines(PLAIN),
    [`.codex/${THREAD}.jsonl`]: toRollout(),
    '.neovate/projects/w/abcdef12.jsonl': `${JSON.stringify({
      parentUuid: null,
      uuid: 'one',
      role: 'user',
      content: 'Hi.',
      type: 'message',
      timestamp: '2026-01-01T10:00:00.000Z',
      sessionId: 'abcdef12',
    })}\n`,
  });
  return home;
}

async function age(home: string): Promise<void> {
  const time = new Date('2026-01-02T00:00:00Z');
  const names = await readdir(home, { recursive: true });
  for (const name of names.toReversed()) await utimes(join(home, name), time, time);
}

const TITLE = `${PROJECT}/${NOTED}/custom-title.json`;

it.each<[string, string, readonly string[]]>([
  ['the title that somebody gave', TITLE, ['--agent', 'claude-code', '--keep-named']],
  ['a name that is asked for', TITLE, ['--named', '*']],
  ['whether it is archived', `${PROJECT}/${NOTED}/archived.json`, ['--state', 'archived']],
  [
    'when the agent deletes it',
    '.claude/settings.json',
    ['--agent', 'claude-code', '--expiring', '9y'],
  ],
  ['the names of threads', '.codex/session_index.jsonl', ['--agent', 'codex', '--keep-named']],
  ['working directories', '.neovate/data.json', ['--agent', 'neovate', '--missing-cwd']],
  ['the directory of a project', '.neovate/data.json', ['--agent', 'neovate', '--project', '/w']],
])(
  'prune reports a file that cannot be read with %s, where a rule asks for it',
  async (_, path, rules) => {
    const home = await makeHome();
    await mkdir(join(home, path), { recursive: true });
    await age(home);
    const run = (...args: readonly string[]) => runTest([...OLD, ...args], { cwd: home, home });
    const asked = await run(...rules);
    const { results } = JSON.parse(asked.out) as { results: PruneResult[] };
    const problem = expect.objectContaining({ message: expect.stringContaining('cannot read') });
    expect(results).toContainEqual({ path: join(home, path), problem });
    expect(asked.exitCode).toBe(3);
    const other = await run('--older-than', '30d');
    expect(JSON.parse(other.out)).toMatchObject({ summary: { actions: { remove: 4 } } });
    expect(other.exitCode).toBe(0);
  },
);

it('prune reports settings that are no JSON where they say when a session expires', async () => {
  const home = await makeHome();
  await writeFiles(home, { '.claude/settings.json': '{ "cleanupPeriodDays": 9, }' });
  await age(home);
  const args = [...OLD, '--agent', 'claude-code', '--expiring', '9y'];
  const { err, exitCode } = await runTest(args, { cwd: home, home });
  expect(err).toContain('settings.json: cannot read: is not a JSON object');
  expect(exitCode).toBe(3);
});

it('prune names a file that cannot be read, and to which a session in the directory of its name may belong', async () => {
  const home = await makeHome();
  const owner = join(home, '.claude.json');
  await writeFile(owner, '{}');
  await age(home);
  await chmod(dirname(owner), 0o755);
  await chmod(owner, 0);
  const run = (...args: readonly string[]) =>
    asOrdinaryUser(() => runTest([...OLD, '--older-than', '30d', ...args], { cwd: home, home }));
  const { out, exitCode } = await run();
  const { results } = JSON.parse(out) as { results: PruneResult[] };
  const kept = results.filter(({ action }) => action === 'keep');
  const reasons = [`may belong to ${owner}: cannot read: permission denied: never removed`];
  expect(kept.map((one) => one.reasons)).toEqual([reasons, reasons]);
  expect(results).toContainEqual(expect.objectContaining({ path: owner }));
  expect(exitCode).toBe(3);
  expect((await run('--agent', 'neovate')).exitCode).toBe(0);
});
