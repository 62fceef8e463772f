import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { assistant, call, result, toSession, toUsage, user } from '../../session-lines.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures/', import.meta.url));
const IMAGE = Buffer.alloc(30, 1).toString('base64');

const thinking = assistant('Done.', {
  content: [
    { type: 'thinking', thinking: 'Hm – "so"' },
    { type: 'text', text: 'Done.' },
  ],
  usage: toUsage(1500),
});

const SESSION = toSession([
  user([
    { type: 'text', text: 'Look.' },
    { type: 'image', data: IMAGE, mimeType: 'image/png' },
  ]),
  call('c1', 'read', { path: 'a' }),
  result('c1', 'read', 'out\nput'),
  { type: 'custom', customType: 'todo', data: { big: 'x'.repeat(100) } },
  thinking,
]);

describe('list --info', () => {
  it('measures what can be read, but is nested too deep to be written', async () => {
    const dir = await makeTempDir();
    const [deep, end] = ['['.repeat(10_000), ']'.repeat(10_000)];
    const [header, entry] = toSession([call('c1', 'read', { path: 'a' })]).map((one) =>
      JSON.stringify(one),
    );
    const line = entry?.replace('"a"', `${deep}${end}`) ?? '';
    await writeFile(join(dir, 's.jsonl'), `${header}\n${line}\n`);
    await writeFile(
      join(dir, 'v.jsonl'),
      header?.replace('"version":3', `"version":${deep}${end}`) ?? '',
    );
    const { exitCode, out } = await runTest(['list', 's.jsonl', '--info', '--json'], { cwd: dir });
    expect([exitCode, JSON.parse(out).results.length]).toEqual([0, 1]);
    expect((await runTest(['list', 'v.jsonl'], { cwd: dir })).exitCode).toBe(0);
  });

  it('says what the bytes of a session hold', async () => {
    const dir = await makeTempDir();
    await writeFiles(dir, { 's.jsonl': SESSION });
    const { exitCode, out } = await runTest(['list', 's.jsonl', '--info', '--json'], { cwd: dir });
    const { results, summary } = JSON.parse(out);
    const [info] = results;
    expect([exitCode, results.length, summary]).toEqual([0, 1, { sessions: 1 }]);
    const custom = Buffer.byteLength(JSON.stringify(SESSION[4]));
    expect(info).toMatchObject({
      path: join(dir, 's.jsonl'),
      agent: 'pi',
      formatVersion: 3,
      leafCount: 1,
      compactionCount: 0,
      models: ['anthropic/claude-test'],
      usage: { totalTokens: 1500, cost: 0 },
      sizes: {
        text: 'Look.Done.'.length,
        thinking: Buffer.byteLength('Hm – \\"so\\"'),
        toolCalls: '{"path":"a"}'.length,
        toolOutput: 'out\\nput'.length,
        images: IMAGE.length,
        snapshots: custom,
      },
    });
    const all = Object.values<number>(info.sizes).reduce((sum, size) => sum + size, 0);
    expect(all).toBe(Buffer.byteLength(toJsonl(SESSION)));
  });

  it('shows it to people, a fact a line', async () => {
    const dir = await makeTempDir();
    await writeFiles(dir, { 's.jsonl': SESSION });
    const { out } = await runTest(['list', 's.jsonl', '--info'], { cwd: dir });
    expect(out).toMatch(/^SESSION +Look\.\n/);
    expect(out).toMatch(/\nversion +3\n/);
    expect(out).toMatch(/\ntokens +1,500\n/);
    expect(out).toMatch(/\n {2}images +40 B\n/);
    expect(out).not.toContain('problem');
  });

  it('shows a time long ago once, and a session without a text by a word for it', async () => {
    const dir = await makeTempDir();
    await writeFiles(dir, { 's.jsonl': toSession([user(' ')]) });
    const late = { cwd: dir, now: () => 4e12 };
    const { out } = await runTest(['list', 's.jsonl', '--info'], late);
    expect(out).toMatch(/^SESSION +\(no text\)\n/);
    expect(out).toMatch(/\ncreated +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n/);
  });

  it('shows people what it tells programs of the origin and the end of a session', async () => {
    const home = join(FIXTURES, 'claude-code', 'home');
    const id = 'aaaaaaaa-0000-4000-8000-000000000001';
    const { out } = await runTest(['list', id, '--info'], { home });
    for (const fact of [/git branch +main/, /source +exec/, /expires +\d{4}-\d\d-\d\d /]) {
      expect(out).toMatch(fact);
    }
    expect(out).toMatch(/\nsub-agents +2, 660 tokens\n/);
    const threads = join(FIXTURES, 'codex', 'home');
    const show = (prefix: string) => runTest(['list', prefix, '--store', threads, '--info']);
    expect((await show('01a1fffd-58f8')).out).toMatch(/\narchived +in its agent\n/);
    const { out: reverted } = await show('01a1fffd-592e');
    expect(reverted).toMatch(/\nearlier file +\S+-01a1fffd-592e-\S+[^_]\.jsonl\n/);
  });

  it('shortens no fact on a narrow screen: a path that is cut leads nowhere', async () => {
    const dir = await makeTempDir();
    await writeFiles(dir, { 's.jsonl': SESSION });
    const { out } = await runTest(['list', 's.jsonl', '--info'], { cwd: dir, columns: 40 });
    expect(out).toContain(`${join(dir, 's.jsonl')}\n`);
    expect(out).not.toContain('…');
  });

  it.each(['recorded', 'neovate'])('accounts for every byte of every session: %s', async (kind) => {
    const names = (await readdir(join(FIXTURES, kind))).filter((name) => name.endsWith('.jsonl'));
    for (const name of names) {
      const path = join(FIXTURES, kind, name);
      const { out } = await runTest(['list', path, '--info', '--format', 'ndjson']);
      const { sizes, size } = JSON.parse(out);
      const all = Object.values<number>(sizes).reduce((sum, one) => sum + one, 0);
      expect([name, all, size]).toEqual([name, size, (await stat(path)).size]);
    }
  });

  it('counts all that Claude Code notes of files as their state', async () => {
    const dir = await makeTempDir();
    const path = join(FIXTURES, 'claude-code', 'recorded-tui-rename-rewind.jsonl');
    const lines = (await readFile(path, 'utf8')).split('\n');
    const ofFiles = lines.filter((line) => line.startsWith('{"type":"file-history-'));
    expect(ofFiles.some((line) => line.includes('file-history-delta'))).toBe(true);
    await writeFiles(dir, { 's.jsonl': lines.join('\n') });
    const { out } = await runTest(['list', 's.jsonl', '--info', '--format', 'ndjson'], {
      cwd: dir,
    });
    const { sizes } = JSON.parse(out) as { sizes: { snapshots: number } };
    expect(sizes.snapshots).toBe(Buffer.byteLength(ofFiles.join('')));
  });

  it('wants one session, and one that is there', async () => {
    const several = await runTest(['list', 'recorded', '--info'], { cwd: FIXTURES });
    expect(several).toMatchObject({ exitCode: 2, out: '' });
    expect(several.err).toContain('--info shows one session');
    const dir = await makeTempDir();
    await writeFiles(dir, { 'a.jsonl': '{"x":1}\n' });
    const foreign = await runTest(['list', 'a.jsonl', '--info', '--json'], { cwd: dir });
    expect([foreign.exitCode, JSON.parse(foreign.out).summary]).toEqual([3, { sessions: 0 }]);
    expect(foreign.err).toContain('a.jsonl: is not a session file');
  });

  it.each([
    ['--info', ['--named', 'b']],
    ['--info', ['--larger-than', '5kB']],
    ['--entries', ['--named', 'b']],
  ])('%s shows the session that %j selects', async (option, selectors) => {
    const dir = await makeTempDir();
    const rename = { type: 'session_info', name: 'b', data: 'x'.repeat(5000) };
    await writeFiles(dir, { 's/a.jsonl': SESSION, 's/b.jsonl': [...SESSION, rename] });
    const { exitCode, out } = await runTest(['list', 's', option, ...selectors, '--json'], {
      cwd: dir,
    });
    expect([exitCode, out]).toEqual([0, expect.stringContaining('b.jsonl')]);
    expect(out).not.toContain('a.jsonl');
    const none = await runTest(['list', 's', option, '--named', 'c'], { cwd: dir });
    expect([none.exitCode, none.err]).toEqual([2, expect.stringContaining('one session, not 0')]);
  });

  it('reads standard input', async () => {
    const input = toJsonl(SESSION);
    const { out } = await runTest(['list', '--stdin', '--info', '--json'], { input });
    expect(JSON.parse(out).results[0]).toMatchObject({ path: '<stdin>', entryCount: 5 });
  });
});
