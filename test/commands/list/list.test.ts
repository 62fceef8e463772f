import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { asOrdinaryUser, shareNewFiles } from '../../ordinary-user.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

shareNewFiles();

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
});

async function list(...args: string[]) {
  return runTest(['list', '--store', '.', ...args], { cwd: dir, home: '/home/dev' });
}

async function listResults(...args: string[]): Promise<readonly Record<string, unknown>[]> {
  const { out } = await list('--json', ...args);
  const { results } = JSON.parse(out) as { results: readonly Record<string, unknown>[] };
  return results;
}

describe('list', () => {
  beforeEach(() =>
    writeFiles(dir, {
      'a.jsonl': sampleSession({ id: 'a', name: 'Plan', text: 'One' }),
      'b.jsonl': sampleSession({
        id: 'b',
        start: '2127-01-15T10:00:00.000Z',
        text: 'x'.repeat(900),
      }),
      'v1.jsonl': [
        { type: 'session', id: 'old', timestamp: '2025-11-20T10:00:00.000Z', cwd: '/home/dev' },
        {
          type: 'message',
          timestamp: '2025-11-20T10:00:01.000Z',
          message: { role: 'user', content: 'Old' },
        },
      ],
    }),
  );

  it('shows a table for people, latest activity first', async () => {
    const { out, exitCode } = await list();
    const rows = out.split('\n').map((row) => row.trimEnd().split(/ {2,}/));
    expect(exitCode).toBe(0);
    expect(rows[0]).toEqual(['LAST ACTIVE', 'PROJECT', 'SESSION', 'MESSAGES', 'SIZE', 'VERSION']);
    expect(rows[1]?.slice(0, 2)).toEqual(['1h ago', '~/orchard']);
    expect(rows[2]).toEqual(['2026-03-02', '~/orchard', 'Plan', '2', '795 B', '3']);
    expect(rows[3]).toEqual(['2025-11-20', '~', 'Old', '1', '187 B', '1']);
    expect(rows[4]).toEqual(['3 sessions, 2.6 kB. 1 is in an old format: coppice migrate']);
    const [, ...lines] = sampleSession();
    await writeFiles(dir, { 'headless.jsonl': lines });
    const { out: headless } = await runTest(['list', 'headless.jsonl'], { cwd: dir });
    expect(headless).toMatch(/^1 session, .*\. 1 has a problem: coppice validate$/m);
    expect(headless).not.toContain('migrate');
  });

  it('fits the table to the screen', async () => {
    const { out } = await runTest(['list', '--store', '.', '--no-color'], {
      cwd: dir,
      columns: 70,
    });
    const widest = Math.max(
      ...out
        .split('\n')
        .slice(0, -2)
        .map((row) => row.length),
    );
    expect(widest).toBeLessThanOrEqual(70);
    expect(out).toContain('…');
  });

  it('gives programs one document, or one result a line', async () => {
    const { out } = await list('--json');
    const document = JSON.parse(out) as { results: object[] };
    expect(document).toMatchObject({ schemaVersion: 1, command: 'list', summary: { sessions: 3 } });
    expect(Object.keys(document.results[0] ?? {}).join(' ')).toBe(
      'path agent formatVersion id cwd name created modified messageCount firstMessage ' +
        'parentSessionPath size entryCount leafCount compactionCount models totalSize',
    );
    const lines = (await list('--format', 'ndjson')).out.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual(document.results);
  });

  it('prints an empty list as an empty list', async () => {
    expect((await list('--json', '--named', 'nothing')).out).toContain('"results":[]');
    expect((await list('--named', 'nothing')).out).toContain('0 of 3 sessions');
  });

  it.each([
    [
      ['--sort', 'size'],
      ['b', 'a', 'old'],
    ],
    [
      ['--sort', 'created'],
      ['b', 'a', 'old'],
    ],
    [
      ['--sort', 'name'],
      ['old', 'a', 'b'],
    ],
    [
      ['--sort', 'messages', '--reverse'],
      ['old', 'a', 'b'],
    ],
    [['--reverse'], ['old', 'a', 'b']],
    [['--limit', '1'], ['b']],
  ])('orders: %j', async (args, expected) => {
    expect((await listResults(...args)).map(({ id }) => id)).toEqual(expected);
  });

  it('prints paths for other programs', async () => {
    expect((await list('--paths')).out).toBe(`${dir}/b.jsonl\n${dir}/a.jsonl\n${dir}/v1.jsonl\n`);
    expect((await list('--paths', '-0', '--limit', '1')).out).toBe(`${dir}/b.jsonl\0`);
  });

  it('is the same for every number of jobs', async () => {
    const one = await list('--json', '--jobs', '1');
    expect(await list('--json', '--jobs', '8')).toEqual(one);
  });

  it('refuses columns that do not exist', async () => {
    const run = await list('--columns', 'size,colour');
    expect(run).toMatchObject({ exitCode: 2, out: '' });
    expect(run.err).toContain("unknown column 'colour'; use some of active");
  });
});

describe('list of files that cannot be used', () => {
  it('names an unreadable file and lists the rest', async () => {
    await writeFiles(dir, { 'a.jsonl': sampleSession(), 'b.jsonl': sampleSession() });
    await chmod(dir, 0o755);
    await chmod(join(dir, 'b.jsonl'), 0o000);
    const { exitCode, out, err } = await asOrdinaryUser(() => list('--json'));
    expect(exitCode).toBe(3);
    expect(err).toBe(`coppice: ${dir}/b.jsonl: cannot read: permission denied\n`);
    const { results } = JSON.parse(out) as { results: object[] };
    expect(results[1]).toEqual({
      path: join(dir, 'b.jsonl'),
      problem: { code: 'EACCES', message: 'cannot read: permission denied' },
    });
  });

  it('leaves what is not a session alone, and names it when it was asked for', async () => {
    await writeFiles(dir, {
      'a.jsonl': sampleSession(),
      'b.jsonl': Buffer.from([0, 1, 2, 255, 10, 7]),
    });
    expect(await list()).toMatchObject({ exitCode: 0, err: '' });
    const run = await runTest(['list', 'a.jsonl', 'b.jsonl'], { cwd: dir });
    expect(run.exitCode).toBe(3);
    expect(run.err).toContain('b.jsonl: is not a session file of a known agent');
    expect(run.out).toContain('1 session,');
  });

  it('shows files of a newer version, and of the agent core, with their problem', async () => {
    const [header, ...rest] = sampleSession({ id: 'new' });
    await writeFiles(dir, {
      'new.jsonl': [{ ...header, version: 9 }, ...rest],
      'core.jsonl': [
        {
          v: 4,
          kind: 'header',
          id: 'core',
          cwd: '/c',
          createdAt: 1767225600000,
          storageVersion: 1,
        },
      ],
    });
    expect(await listResults()).toMatchObject([
      { id: 'new', formatVersion: 9, problem: { code: 'version-unknown' } },
      { id: 'core', formatVersion: 4, cwd: '/c', problem: { code: 'version-unknown' } },
    ]);
  });

  it('passes over an empty file, as every command does, unless it is named', async () => {
    await writeFiles(dir, { 's/a.jsonl': sampleSession(), 's/none.jsonl': '' });
    const commands = [
      'list',
      'migrate',
      'compact',
      'export --out o',
      'fork --last 9',
      'prune --empty',
    ];
    for (const words of commands) {
      const run = await runTest([...words.split(' '), '--store', 's'], { cwd: dir, home: dir });
      expect([words, run.exitCode, run.err]).toEqual([
        words,
        0,
        expect.not.stringContaining('none'),
      ]);
    }
    const named = await runTest(['list', 's/none.jsonl'], { cwd: dir, home: dir });
    expect(named).toMatchObject({ exitCode: 3, err: 'coppice: ~/s/none.jsonl: is empty\n' });
  });

  it('shows a file that has lost its header, and an empty one that is named', async () => {
    await writeFiles(dir, { 'lost.jsonl': sampleSession().slice(1), 'none.jsonl': '\n' });
    const files = ['lost.jsonl', 'none.jsonl'];
    const { out, exitCode } = await runTest(['list', ...files, '--json'], { cwd: dir });
    expect(exitCode).toBe(3);
    expect(JSON.parse(out)).toMatchObject({
      results: [
        { messageCount: 2, problem: { code: 'header-missing' } },
        { problem: { code: 'file-empty' } },
      ],
    });
  });

  it('lets no session speak to the terminal', async () => {
    const evil = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202egnp.exe\r\n\u0000x';
    await writeFiles(dir, {
      'a.jsonl': sampleSession({ id: evil, cwd: `/${evil}`, name: evil, model: evil, text: evil }),
    });
    const columns = 'session,project,id,models,path';
    const runs = [
      await list('--columns', columns),
      await list('--by', 'model'),
      await list('--json'),
    ];
    runs.push(await runTest(['list', 'a.jsonl', '--entries', '--filter', 'all'], { cwd: dir }));
    for (const { out } of runs) {
      expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Control}\p{Bidi_Control}]/u);
    }
  });

  it('takes a session whose keys are those of prototypes', async () => {
    const [header, ...rest] = sampleSession({ id: '__proto__', name: 'constructor' });
    const text = [header, ...rest].map((line) => JSON.stringify(line)).join('\n');
    await writeFiles(dir, { 'a.jsonl': text.replace('{"type"', '{"__proto__":{"id":1},"type"') });
    expect(await listResults('--usage')).toMatchObject([{ id: '__proto__', name: 'constructor' }]);
  });
});
