import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readContext } from '../../../src/session/read/read-context.ts';
import { readSession } from '../../../src/session/read/read-session.ts';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const RECORDED = fileURLToPath(new URL('../../fixtures/recorded', import.meta.url));

interface Listed {
  readonly id: string;
  readonly parentId: string | null;
  readonly line: number;
  readonly inContext: boolean;
  readonly visible: boolean;
  readonly type: string;
  readonly role: string | null;
  readonly depth: number;
  readonly label: string | null;
  readonly preview: string;
  readonly onPath: boolean;
}

async function listAll(
  file: string,
  args: readonly string[] = [],
  cwd = RECORDED,
): Promise<readonly Listed[]> {
  const run = await runTest(['list', file, '--entries', '--json', ...args], { cwd });
  if (run.exitCode !== 0) throw new Error(run.err);
  return (JSON.parse(run.out) as { results: readonly Listed[] }).results;
}

/** Those that the filter shows. */
async function listEntries(file: string, ...args: string[]): Promise<readonly Listed[]> {
  return (await listAll(file, args)).filter(({ visible }) => visible);
}

const header = { type: 'session', version: 3, id: 'h', timestamp: '2026-01-01', cwd: '/' };
const user = (id: string, parentId: string | null) => ({
  type: 'message',
  id,
  parentId,
  timestamp: '2026-01-01T00:00:00.000Z',
  message: { role: 'user', content: id, timestamp: 0 },
});

describe('list --entries', () => {
  const file = '0.87.1-branches-and-summaries.jsonl';

  it('shows whole ids, which --at takes, and cuts them only on a narrow screen', async () => {
    const dir = await makeTempDir();
    const id = '01a1fffd-51c3-7b42-a112-6bc9ed3ff874';
    await writeFiles(dir, { 's.jsonl': [header, user(id, null)] });
    const show = async (screen: { readonly columns?: number } = {}): Promise<string> =>
      (await runTest(['list', 's.jsonl', '--entries'], { cwd: dir, ...screen })).out;
    expect(await show()).toContain(`${id}  `);
    expect(await show({ columns: 120 })).toContain(`${id}  `);
    expect(await show({ columns: 70 })).toContain('…');
  });

  it('shows the whole tree, depth first, with its current path', async () => {
    const all = await listEntries(file, '--filter', 'all');
    expect(all[0]).toMatchObject({ depth: 0 });
    expect(all.some(({ onPath }) => !onPath)).toBe(true);
    // Answers without words are left out, whatever the filter.
    const depths = all.filter(({ onPath }) => onPath).map(({ depth }) => depth);
    expect(depths).toEqual([...new Set(depths)].toSorted((a, b) => a - b));
  });

  it('filters as the tree view of pi does', async () => {
    const users = await listEntries(file, '--filter', 'user-only');
    expect(new Set(users.map(({ role }) => role))).toEqual(new Set(['user']));
    const labeled = await listEntries('0.73.1-roots-and-labels.jsonl', '--filter', 'labeled-only');
    expect(labeled.length).toBeGreaterThan(0);
    expect(labeled.every(({ label }) => label !== null)).toBe(true);
    const shown = await listEntries('0.87.1-every-message.jsonl');
    expect(shown.map(({ type }) => type)).not.toContain('model_change');
    expect(shown.map(({ role }) => role)).toContain('toolResult');
    const noTools = await listEntries('0.87.1-every-message.jsonl', '--filter', 'no-tools');
    expect(noTools.map(({ role }) => role)).not.toContain('toolResult');
  });

  it('never shows usage, which is not a part of the conversation', async () => {
    const all = await listEntries('0.87.1-system-messages.jsonl', '--filter', 'all');
    expect(all.map(({ type }) => type)).not.toContain('usage');
  });

  it.each(['json', 'ndjson'])(
    'gives programs every entry, whatever the filter: %s',
    async (format) => {
      const names = (await readdir(RECORDED)).filter((name) => name.endsWith('.jsonl'));
      for (const name of names) {
        const { session } = await readSession(join(RECORDED, name));
        const args = ['list', name, '--entries', '--format', format, '--filter', 'user-only'];
        const { out } = await runTest(args, { cwd: RECORDED });
        const rows: readonly Listed[] =
          format === 'json'
            ? JSON.parse(out).results
            : out
                .split('\n')
                .filter(Boolean)
                .map((line) => JSON.parse(line) as Listed);
        const toLines = (all: readonly { line: number }[]) =>
          all.map(({ line }) => line).toSorted((a, b) => a - b);
        expect(toLines(rows)).toEqual(toLines(session.entries));
        const ids = new Set(rows.map(({ id }) => id));
        const inFile = new Set(session.entries.map(({ id }) => id));
        for (const { parentId } of rows) {
          expect(parentId === null || ids.has(parentId) || !inFile.has(parentId)).toBe(true);
        }
        expect(rows.every(({ visible, role }) => !visible || role === 'user')).toBe(true);
      }
    },
  );

  it('shows people what the filter leaves, as before', async () => {
    const table = await runTest(['list', file, '--entries', '--filter', 'user-only'], {
      cwd: RECORDED,
    });
    const shown = await listEntries(file, '--filter', 'user-only');
    const lines = table.out.trimEnd().split('\n');
    expect(lines).toHaveLength(shown.length + 2);
    const { out } = await runTest(['list', file, '--entries', '--json'], { cwd: RECORDED });
    const { results, summary } = JSON.parse(out);
    const visible = results.filter((one: Listed) => one.visible).length;
    expect(summary).toMatchObject({ entries: results.length, visible });
    expect(visible).toBeLessThan(results.length);
    const which = `${String(shown.length)} of ${String(results.length)} entries`;
    expect(lines.at(-1)).toBe(`${which}. More with --filter all`);
  });

  it('says how many entries there are, but not with --quiet', async () => {
    const all = ['list', file, '--entries', '--filter', 'all'];
    const { out: whole } = await runTest(all, { cwd: RECORDED });
    const { out: quiet } = await runTest([...all, '--quiet'], { cwd: RECORDED });
    const { out: limited } = await runTest([...all, '--limit', '2'], { cwd: RECORDED });
    const count = quiet.trimEnd().split('\n').length - 1;
    const entries = (await listAll(file)).length;
    // Even that filter hides answers without a text, as pi does.
    expect(whole).toBe(`${quiet}${String(count)} of ${String(entries)} entries.\n`);
    const cut = `2 of ${String(entries)} entries. More with a larger --limit`;
    expect(limited.trimEnd().split('\n').at(-1)).toBe(cut);
    const users = ['list', file, '--entries', '--filter', 'user-only', '--limit'];
    const { out: one } = await runTest([...users, '1'], { cwd: RECORDED });
    expect(one).toContain(`1 of ${String(entries)} entries. More with a larger --limit\n`);
    const { out: enough } = await runTest([...users, '99'], { cwd: RECORDED });
    expect(enough).toContain('entries. More with --filter all\n');
  });

  it('says what the model is sent', async () => {
    const all = await listAll('0.87.1-context-edits.jsonl');
    const context = await readContext(join(RECORDED, '0.87.1-context-edits.jsonl'));
    expect(all.filter(({ inContext }) => inContext)).toHaveLength(context.messages.length);
    expect(all.every(({ inContext, onPath }) => onPath || !inContext)).toBe(true);
  });

  it('says that a message of an extension is sent, whose role migration changes', async () => {
    const dir = await makeTempDir();
    const hook = { role: 'hookMessage', customType: 'x', content: 'Told', timestamp: 0 };
    const told = { ...user('bbbb', 'aaaa'), message: hook };
    const listSent = async (version: number): Promise<readonly boolean[]> => {
      const lines = [{ ...header, version }, user('aaaa', null), told];
      await writeFiles(dir, { 's.jsonl': lines });
      return (await listAll('s.jsonl', [], dir)).map(({ inContext }) => inContext);
    };
    expect(await listSent(2)).toEqual([true, true]);
    expect(await listSent(3)).toEqual([true, false]);
  });

  it('names also entries that no root leads to', async () => {
    const dir = await makeTempDir();
    const entries = [
      user('aaaa', null),
      user('bbbb', 'cccc'),
      user('cccc', 'bbbb'),
      user('aaaa', null),
    ];
    await writeFiles(dir, { 'cycle.jsonl': [header, ...entries] });
    const rows = await listAll('cycle.jsonl', ['--filter', 'all'], dir);
    expect(rows.map(({ line, visible }) => [line, visible])).toEqual([
      [5, true],
      [2, false],
      [3, false],
      [4, false],
    ]);
  });

  it('gives old sessions the ids that they will have', async () => {
    const entries = await listEntries('0.30.2-two-compactions.jsonl', '--filter', 'all');
    expect(entries.every(({ id }) => /^[0-9a-f]{8}$/.test(id))).toBe(true);
    expect(entries.every(({ onPath }) => onPath)).toBe(true);
  });

  it('wants one session, and one that is there', async () => {
    const several = await runTest(['list', '.', '--entries'], { cwd: RECORDED });
    expect(several).toMatchObject({ exitCode: 2, out: '' });
    expect(several.err).toContain('--entries shows one session');
    const dir = await makeTempDir();
    await writeFiles(dir, { 'a.jsonl': '{"x":1}\n' });
    const foreign = await runTest(['list', 'a.jsonl', '--entries'], { cwd: dir });
    expect(foreign.exitCode).toBe(3);
    expect(foreign.err).toContain('a.jsonl: is not a session file of a known agent');
    const { out } = await runTest(['list', 'a.jsonl', '--entries', '--json'], { cwd: dir });
    expect(JSON.parse(out)).toMatchObject({
      results: [{ path: join(dir, 'a.jsonl'), problem: { code: 'not-a-session' } }],
    });
    const filter = await runTest(['list', '--filter', 'all'], { cwd: RECORDED });
    expect(filter).toMatchObject({ exitCode: 2 });
  });
});
