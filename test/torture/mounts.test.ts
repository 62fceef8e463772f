import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getOwnPlace } from '../../src/session/jsonl/files/process-place.ts';
import { sampleSession } from '../sample-session.ts';
import { FIXTURES } from '../session/agents/codex/corpus.ts';
import { makeFamilyTexts, toPlace } from '../session/agents/codex/made-family.ts';
import { makeTempDir, writeFiles } from '../temp-dir.ts';
import { BIN } from './coppice.ts';
import { NEWER_NODE } from './newer-node.ts';

const FIXTURE_HOME = join(FIXTURES, 'home');
const MOUNT = 'mount --bind "$1/store" "$1/mounted" && cd "$1" && shift && "$@"';
const UNSHARE = process.getuid?.() === 0 ? '-m' : '-rm';

const runMounted = (dir: string, ...command: readonly string[]) =>
  spawnSync('unshare', [UNSHARE, 'bash', '-c', MOUNT, 'bash', dir, ...command], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: dir },
  });

const canMount = (): boolean => spawnSync('unshare', [UNSHARE, 'true']).status === 0;

async function makeStore(): Promise<string> {
  const dir = await makeTempDir();
  mkdirSync(join(dir, 'mounted'));
  for (const day of ['01', '02', '03']) {
    const start = `2026-03-${day}T00:00:00.000Z`;
    const name = join('store', 'p', `${day}.jsonl`);
    await writeFiles(dir, { [name]: sampleSession({ id: `day-${day}`, start }) });
    await utimes(join(dir, name), Date.parse(start) / 1000, Date.parse(start) / 1000);
  }
  return dir;
}

const describeWhereMounted = process.platform === 'linux' && canMount() ? describe : undefined;

describeWhereMounted?.('a store that is mounted twice', () => {
  it.each([
    ['--store', 'store', '--store', 'mounted'],
    ['mounted', 'store'],
    ['mounted/p/01.jsonl', 'mounted/p/02.jsonl', 'mounted/p/03.jsonl', 'store'],
    ['mounted', '--store', 'store'],
  ])('has each session once for prune: %s %s %s %s', async (...args) => {
    const dir = await makeStore();
    const prune = (...rules: readonly string[]) =>
      runMounted(dir, process.execPath, BIN, 'prune', ...args, ...rules, '--apply', '--delete');
    expect(prune('--max-sessions', '3').stdout).toContain('Removed 0 of 3 sessions');
    expect(prune('--keep-last', '2').stdout).toContain('Removed 1 of 3 sessions');
    expect(readdirSync(join(dir, 'store', 'p'))).toEqual(['02.jsonl', '03.jsonl']);
  });
});

describeWhereMounted?.('a directory for sidecars that two homes share by a mount', () => {
  it('keeps those of sessions in the other home', async () => {
    const dir = await makeTempDir();
    const [own, other] = ['a', 'b'].map((one) => `${one.repeat(8)}-0000-4000-8000-000000000001`);
    const toText = (sessionId: string | undefined): string =>
      `${JSON.stringify({ type: 'user', uuid: 'u', parentUuid: null, sessionId, message: { role: 'user', content: 'Hi' } })}\n`;
    await writeFiles(dir, {
      [`.claude/projects/-a/${own}.jsonl`]: toText(own),
      [`away/work/projects/-a/${other}.jsonl`]: toText(other),
      [`away/work/file-history/${other}/f@v1`]: 'old',
    });
    mkdirSync(join(dir, '.claude/file-history'));
    const mount =
      'mount --bind "$1/away/work/file-history" "$1/.claude/file-history" && cd "$1" && shift && "$@"';
    const args = ['prune', '--orphans', '--grace', '0s', '--apply', '--delete'];
    const { stdout } = spawnSync(
      'unshare',
      [UNSHARE, 'bash', '-c', mount, 'bash', dir, process.execPath, BIN, ...args],
      { encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: dir } },
    );
    expect(stdout).toContain('file-history is on another file system');
    expect(readdirSync(join(dir, 'away/work/file-history'))).toEqual([other]);
  });
});

describeWhereMounted?.('checkpoints that two homes share by a mount', () => {
  it('are kept with the copy of a session in the other home', async () => {
    const dir = await makeTempDir();
    const id = 'aaaaaaaa-0000-4000-8000-000000000001';
    const later = 'bbbbbbbb-0000-4000-8000-000000000001';
    const toText = (sessionId: string, timestamp: string): string => {
      const line = { type: 'user', uuid: sessionId, parentUuid: null, sessionId, timestamp };
      return `${JSON.stringify({ ...line, message: { role: 'user', content: 'Hi' } })}\n`;
    };
    const text = toText(id, '2026-03-01T00:00:00.000Z');
    await writeFiles(dir, {
      [`.claude/projects/-a/${id}.jsonl`]: text,
      [`.claude/projects/-a/${later}.jsonl`]: toText(later, '2026-04-01T00:00:00.000Z'),
      [`work/projects/-a/${id}.jsonl`]: text,
      [`work/file-history/${id}/f@v1`]: 'old',
    });
    mkdirSync(join(dir, '.claude/file-history'));
    const mount =
      'mount --bind "$1/work/file-history" "$1/.claude/file-history" && cd "$1" && shift && "$@"';
    const args = ['prune', '--older-than', '0s', '--grace', '0s', '--apply', '--delete'];
    const { stdout } = spawnSync(
      'unshare',
      [UNSHARE, 'bash', '-c', mount, 'bash', dir, process.execPath, BIN, ...args],
      { encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: dir } },
    );
    expect(stdout).toContain('Removed 1 of 2 sessions');
    expect(readdirSync(join(dir, 'work/file-history', id))).toEqual(['f@v1']);
  });
});

const describeWithRows = NEWER_NODE === undefined ? undefined : describeWhereMounted;

describeWithRows?.('threads that two homes of Codex share by a mount', () => {
  const id = '01a1fffd-5433-7a63-ade5-edd101592fdf';
  const makeHomes = async (shared: string): Promise<string> => {
    const dir = await makeTempDir();
    for (const home of ['.codex', 'work'])
      cpSync(FIXTURE_HOME, join(dir, home), { recursive: true });
    rmSync(join(dir, 'work', shared), { recursive: true });
    mkdirSync(join(dir, 'work', shared));
    return dir;
  };
  const decide = (dir: string, shared: string, ...before: readonly string[]) => {
    const script = `mount --bind "$1/.codex/${shared}" "$1/work/${shared}" && cd "$1" && shift && "$@"`;
    const rules = ['--larger-than', '1B', '--allow-empty', '--grace', '0s', '--json'];
    const prune = [NEWER_NODE ?? '', BIN, 'prune', '--agent', 'codex', ...rules];
    const command = [UNSHARE, 'bash', '-c', script, 'bash', dir, ...before, ...prune];
    const env = { PATH: process.env['PATH'], HOME: dir, CODEX_HOME: join(dir, 'work') };
    const { stdout } = spawnSync('unshare', command, { encoding: 'utf8', env });
    const { results } = JSON.parse(stdout) as {
      results: { id: string; action: string; reasons: string[] }[];
    };
    const found = results.find((one) => one.id === id);
    return [found?.action, ...(found?.reasons ?? [])].join(': ');
  };

  it.each([['sessions'], ['sessions/2026'], ['sessions/2026/11/21']])(
    'are kept if the other one has pinned them: %s',
    async (shared) => {
      const dir = await makeHomes(shared);
      expect(decide(dir, shared)).toContain('remove: ');
      const state = JSON.stringify({ 'pinned-thread-ids': [id] });
      await writeFiles(dir, { '.codex/.codex-global-state.json': state });
      expect(decide(dir, shared)).toBe('keep: is pinned (--include-pinned)');
    },
  );

  it('are kept if a client of the other one has them open', async () => {
    const dir = await makeHomes('sessions');
    const lock = `.codex/thread-writer-locks/${id}.lock`;
    await writeFiles(dir, { [lock]: '' });
    expect(decide(dir, 'sessions')).toContain('remove: ');
    expect(decide(dir, 'sessions', 'flock', lock)).toContain('keep: is open');
  });
});

describeWhereMounted?.('sessions on a disk to which a link leads', () => {
  it.each([
    ['.claude', 'disk/claude'],
    ['.claude/projects', 'disk/projects'],
    ['.claude/projects/-a', 'disk/-a'],
  ])('are looked for in the trash of that disk by --orphans: %s', async (link, target) => {
    const dir = await makeTempDir();
    const [own, other] = ['a', 'b'].map((one) => `${one.repeat(8)}-0000-4000-8000-000000000001`);
    const message = { role: 'user', content: 'Hi' };
    const line = { type: 'user', uuid: 'u', parentUuid: null, message };
    const path = `.claude/projects/-b/${other}.jsonl`;
    await writeFiles(dir, {
      [path]: `${JSON.stringify({ ...line, sessionId: other })}\n`,
      '.claude/projects/-a/x.txt': '',
      [`.claude/file-history/${own}/f@v1`]: 'old',
    });
    const script = `mkdir "$1/disk" && mount --bind "$1/disk" "$1/disk" && cd "$1" &&
      mv "${link}" "${target}" && ln -s "$1/${target}" "${link}" &&
      mkdir -p "disk/.Trash-$(id -u)/files" && touch "disk/.Trash-$(id -u)/files/${own}.jsonl" &&
      shift && "$@"`;
    const args = ['prune', '--orphans', '--grace', '0s'];
    const { stdout, stderr } = spawnSync(
      'unshare',
      [UNSHARE, 'bash', '-c', script, 'bash', dir, process.execPath, BIN, ...args],
      { encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: dir } },
    );
    expect(stderr).toBe('');
    expect(stdout).toContain('Would remove 0 of 0');
  });
});

describeWhereMounted?.('a store of an agent that is mounted elsewhere', () => {
  const codex = 'home/.codex/sessions/2026/03/01';
  it.each([
    ['home/.codex/sessions', 'elsewhere'],
    ['home/.codex/sessions', 'elsewhere/sessions'],
    [codex, 'elsewhere'],
    ['home/.codex/sessions/2026/03', 'elsewhere/march'],
    ['home/.codex/sessions/2026', 'elsewhere'],
    ['home/.codex/archived_sessions', 'elsewhere'],
    ['home/.claude/projects', 'elsewhere'],
    ['home/.claude/projects', 'elsewhere/projects'],
  ])('keeps its sessions if they are named there: %s, %s', async (from, to) => {
    const dir = await makeTempDir();
    const threads = makeFamilyTexts();
    const files = Object.entries(threads).map(([id, text], index) => {
      const place = toPlace('home/.codex', id);
      return [index === 0 ? join('home/.codex/archived_sessions', basename(place)) : place, text];
    });
    await writeFiles(dir, Object.fromEntries(files));
    const claude = 'home/.claude/projects/-a/aaaaaaaa-0000-4000-8000-000000000001.jsonl';
    const line = {
      type: 'user',
      uuid: 'u',
      parentUuid: null,
      sessionId: basename(claude, '.jsonl'),
    };
    const said = {
      cwd: '/a',
      timestamp: '2026-03-01T00:00:00.000Z',
      message: { role: 'user', content: 'Hi' },
    };
    await writeFiles(dir, { [claude]: `${JSON.stringify({ ...line, ...said })}\n` });
    mkdirSync(join(dir, to), { recursive: true });
    const mount = `export HOME="$1/home" && mount --bind "$1/${from}" "$1/${to}" && cd "$1" && shift && "$@"`;
    const rules = ['--larger-than', '1B', '--allow-empty', '--grace', '0s', '--json'];
    const args = ['prune', '--store', to, ...rules];
    const command = [UNSHARE, 'bash', '-c', mount, 'bash', dir, process.execPath, BIN, ...args];
    const { stdout } = spawnSync('unshare', command, { encoding: 'utf8' });
    const { results } = JSON.parse(stdout) as { results: { reasons: string[]; action: string }[] };
    expect(results.length).toBeGreaterThan(0);
    const why = `its agent reaches it by another path; name it as ${join(dir, from)}`;
    for (const { action, reasons } of results) {
      expect([action, ...reasons].join(': ')).toContain(`keep: ${why}`);
    }
  });
});

describeWhereMounted?.('a file system that is mounted in the folder of a session', () => {
  it.each([[['--delete']], [['--archive', 'archive']], [[]]])(
    'keeps the session: %s',
    async (how) => {
      const dir = await makeStore();
      await writeFiles(dir, { 'mine/thesis.txt': 'thesis', 'store/p/01/x.png': 'image' });
      mkdirSync(join(dir, 'store/p/01/m'));
      const mount = 'mount --bind "$1/mine" "$1/store/p/01/m" && cd "$1" && shift && "$@"';
      const args = [
        'prune',
        '--store',
        'store',
        '--keep-last',
        '2',
        '--grace',
        '0s',
        '--apply',
        ...how,
      ];
      const { stdout } = spawnSync(
        'unshare',
        [UNSHARE, 'bash', '-c', mount, 'bash', dir, process.execPath, BIN, ...args],
        { encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: dir } },
      );
      expect(stdout).toContain('01/m is on another file system');
      expect(readdirSync(join(dir, 'mine'))).toEqual(['thesis.txt']);
      expect(readdirSync(join(dir, 'store/p'))).toContain('01.jsonl');
    },
  );
});

describeWhereMounted?.('a directory for sidecars that is mounted beside the projects', () => {
  it('is a place for what a restore puts back', async () => {
    const dir = await makeTempDir();
    const id = 'aaaaaaaa-0000-4000-8000-000000000001';
    const line = { type: 'user', uuid: 'u', parentUuid: null, sessionId: id };
    const said = {
      timestamp: '2026-03-01T00:00:00.000Z',
      message: { role: 'user', content: 'Hi' },
    };
    const sidecar = `.claude/file-history/${id}/0123456789abcdef@v1`;
    const session = `.claude/projects/-a/${id}.jsonl`;
    const text = `${JSON.stringify({ ...line, ...said })}\n`;
    await writeFiles(dir, { [session]: text, [sidecar]: 'old', 'disk/x': '' });
    for (const name of [session, sidecar])
      await utimes(join(dir, name), 1_772_000_000, 1_772_000_000);
    const { mode } = statSync(join(dir, sidecar));
    const temp = `.x.${spawnSync('true').pid}@${getOwnPlace()}.0123456789ab.coppice-tmp`;
    const prune = '"$2" "$3" prune --archive "$1/archive"';
    const script = [
      'mv "$1/.claude/file-history" "$1/disk/history" && mkdir "$1/.claude/file-history"',
      'mount --bind "$1/disk/history" "$1/.claude/file-history"',
      `${prune} --larger-than 1B --allow-empty --grace 0s --apply && ls "$1/disk/history"`,
      // What a killed run has left there.
      `echo removed && mkdir "$1/disk/history/${id}" && touch "$1/disk/history/${id}/${temp}"`,
      `${prune} --restore all`,
    ].join(' && ');
    const command = [UNSHARE, 'bash', '-c', script, 'bash', dir, process.execPath, BIN];
    const env = { PATH: process.env['PATH'], HOME: dir };
    const { stdout, stderr, status } = spawnSync('unshare', command, { encoding: 'utf8', env });
    expect([stderr, status]).toEqual(['', 0]);
    expect(stdout).not.toContain(`${id}\nremoved`);
    const restored = join(dir, `disk/history/${id}/0123456789abcdef@v1`);
    expect(readFileSync(restored, 'utf8')).toBe('old');
    expect(statSync(restored)).toMatchObject({ mode, mtimeMs: 1_772_000_000_000 });
    expect(readdirSync(dirname(restored))).toHaveLength(1);
    expect(readFileSync(join(dir, session), 'utf8')).toBe(text);
  });
});
