import {
  appendFile,
  copyFile,
  readdir,
  readFile,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { readContext } from '../../../src/session/read/read-context.ts';
import { summarizeSession } from '../../../src/session/read/summaries/summarize-session.ts';
import { validateSession } from '../../../src/session/validate/validate-session.ts';
import { branchedSession } from '../../branched-session.ts';
import { NOW, runTest, type TestWorld } from '../../memory-terminal.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';

const NEOVATE = fileURLToPath(new URL('../../fixtures/neovate/', import.meta.url));
const OLD = new Date('2026-12-01');

let dir: string;
let before: string;

async function rest(name: string): Promise<void> {
  await utimes(join(dir, name), OLD, OLD);
}

beforeEach(async () => {
  dir = await makeTempDir();
  await writeFiles(dir, { 's.jsonl': branchedSession() });
  await rest('s.jsonl');
  before = await read();
});

function run(line: string, world: TestWorld = {}) {
  return runTest(['fork', ...line.split(' ')], { cwd: dir, ...world });
}

function read(name = 's.jsonl'): Promise<string> {
  return readFile(join(dir, name), 'utf8');
}

/** What was appended; what was there must be there still. */
async function readAppended(): Promise<readonly Record<string, unknown>[]> {
  const text = await read();
  expect(text.startsWith(before)).toBe(true);
  return text
    .slice(before.length)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

async function expectContext(target: string | undefined): Promise<void> {
  await writeFile(join(dir, 'before.jsonl'), before);
  const { messages } = await readContext(join(dir, 'before.jsonl'), { leafId: target ?? 'none' });
  expect((await readContext(join(dir, 's.jsonl'))).messages).toEqual(messages);
}

describe('fork --in-place', () => {
  it('previews unless --apply', async () => {
    const { exitCode, out } = await run('s.jsonl --in-place --at aaaa0004');
    expect([exitCode, out]).toEqual([0, expect.stringContaining('continues from aaaa0004')]);
    expect(out).toContain('Would change 1 of 1 session. Nothing was changed.');
    const applied = await run('s.jsonl --in-place --at aaaa0004 --apply --dry-run');
    expect(applied.out).toContain('Nothing was changed');
    expect(await read()).toBe(before);
  });

  it('moves the current leaf by one line, after which the context is that of the target', async () => {
    const { exitCode, out } = await run('s.jsonl --in-place --at aaaa0004 --apply --json');
    const { results, summary } = JSON.parse(out);
    expect(exitCode).toBe(0);
    expect(results).toEqual([
      {
        path: join(dir, 's.jsonl'),
        action: 'move',
        reasons: ['continues from aaaa0004'],
        targetId: 'aaaa0004',
        bytesBefore: before.length,
        bytesAfter: (await read()).length,
      },
    ]);
    expect(summary).toMatchObject({ applied: true, actions: { move: 1 } });
    expect(await readAppended()).toEqual([
      {
        type: 'custom',
        id: '00000001',
        parentId: 'aaaa0004',
        timestamp: new Date(NOW).toISOString(),
        customType: 'coppice.leaf',
      },
    ]);
    await expectContext('aaaa0004');
    const validation = await validateSession(join(dir, 's.jsonl'), { levels: new Map() });
    expect(validation?.findings).toEqual([]);
  });

  it('goes before a user message, and gives its text back', async () => {
    const { out, err } = await run('s.jsonl --in-place --before aaaa0003 --apply');
    expect(out).toContain('continues from bbbb0001');
    expect(err).toBe('Text: Water it\n');
    await expectContext('bbbb0001');
  });

  it('goes before the first entry', async () => {
    const { out } = await run('s.jsonl --in-place --before aaaa0001 --apply --json');
    expect(JSON.parse(out).results).toMatchObject([{ targetId: null, text: 'Plant a tree' }]);
    expect(await readAppended()).toMatchObject([{ parentId: null, customType: 'coppice.leaf' }]);
    expect((await readContext(join(dir, 's.jsonl'))).messages).toEqual([]);
  });

  it('appends the summary of what is left instead of the mark', async () => {
    const { out } = await run('s.jsonl --in-place --at aaaa0004 --summarize --apply --json');
    const [entry, ...others] = await readAppended();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      type: 'branch_summary',
      parentId: 'aaaa0004',
      fromId: 'cccc0005',
      summary: expect.stringContaining('Cut it'),
      fromHook: false,
    });
    const left = { entries: 1, summary: entry?.['summary'] };
    expect(JSON.parse(out).results).toMatchObject([{ action: 'move', left }]);
  });

  it('marks the target where nothing is left to summarize', async () => {
    await appendFile(
      join(dir, 's.jsonl'),
      '{"type":"model_change","id":"dddd0006","parentId":"cccc0005","timestamp":"2026-03-02T10:00:00.000Z","provider":"a","modelId":"b"}\n',
    );
    await rest('s.jsonl');
    before = await read();
    const { out } = await run('s.jsonl --in-place --at cccc0005 --summarize --apply --json');
    expect(JSON.parse(out).results[0]).toMatchObject({ left: { entries: 1, summary: null } });
    expect(await readAppended()).toMatchObject([{ customType: 'coppice.leaf' }]);
  });

  it.each([
    ['fails', 'exit 1', 'fail'],
    ['says nothing', 'true', 'fail'],
  ])('writes nothing when the summarizer %s', async (_what, command, action) => {
    const how = ['--summarize', '--summarizer', 'command', '--summarizer-command', command];
    const args = ['fork', 's.jsonl', '--in-place', '--at', 'aaaa0004', '--apply', '--json', ...how];
    const { PATH } = process.env;
    const { exitCode, out } = await runTest(args, { cwd: dir, env: { PATH } });
    expect([exitCode, JSON.parse(out).results[0].action]).toEqual([3, action]);
    expect(await read()).toBe(before);
  });

  it('asks no program for a preview', async () => {
    const how = ['--summarize', '--summarizer', 'command', '--summarizer-command', 'touch asked'];
    const args = ['fork', 's.jsonl', '--in-place', '--at', 'aaaa0004', ...how];
    const { PATH } = process.env;
    const { exitCode } = await runTest(args, { cwd: dir, env: { PATH } });
    expect([exitCode, await readdir(dir)]).toEqual([0, ['s.jsonl']]);
  });

  it('names the session and labels entries, as pi would', async () => {
    const labels = ['--label', 'aaaa0004=watered', '--label', 'start='];
    const { out } = await runTest(
      ['fork', 's.jsonl', '--in-place', '--name', 'My\ntree ', ...labels, '--apply', '--json'],
      { cwd: dir },
    );
    expect(JSON.parse(out).results).toMatchObject([
      {
        action: 'label',
        reasons: ['named My tree', 'aaaa0004 labeled watered', 'no label on aaaa0002'],
      },
    ]);
    const [name, label, none, ...others] = await readAppended();
    expect(others).toEqual([]);
    expect(name).toMatchObject({ type: 'session_info', parentId: 'cccc0005', name: 'My tree' });
    expect(label).toMatchObject({ parentId: name?.['id'], targetId: 'aaaa0004', label: 'watered' });
    expect(none).toMatchObject({ type: 'label', parentId: label?.['id'], targetId: 'aaaa0002' });
    expect(none).not.toHaveProperty('label');
    expect(await summarizeSession(join(dir, 's.jsonl'), { usage: false })).toMatchObject({
      name: 'My tree',
    });
    await expectContext('cccc0005');
  });

  it('does all of it in one append, each entry below the one before', async () => {
    await run('s.jsonl --in-place --at start --name Tree --label aaaa0001=root --apply');
    const [mark, name, label] = await readAppended();
    expect(mark).toMatchObject({ parentId: 'aaaa0002' });
    expect(name).toMatchObject({ parentId: mark?.['id'] });
    expect(label).toMatchObject({ parentId: name?.['id'] });
    await expectContext('aaaa0002');
  });

  it.each(['', ' --summarize'])('changes nothing the second time%s', async (how) => {
    const line = `s.jsonl --in-place --at start --name Tree --label aaaa0001=root --apply${how}`;
    await run(line);
    await rest('s.jsonl');
    const once = await read();
    const { exitCode, out } = await run(line);
    expect(exitCode).toBe(0);
    expect(out).toContain('continues from aaaa0002 already');
    expect(await read()).toBe(once);
  });

  it('closes a torn last line first', async () => {
    await appendFile(join(dir, 's.jsonl'), '{"torn');
    await rest('s.jsonl');
    before = `${await read()}\n`;
    await run('s.jsonl --in-place --at aaaa0004 --apply');
    expect(await readAppended()).toMatchObject([{ customType: 'coppice.leaf' }]);
  });

  it('makes no id that an entry has', async () => {
    await appendFile(
      join(dir, 's.jsonl'),
      '{"type":"custom","id":"00000001","parentId":"cccc0005","timestamp":"2026-03-02T10:00:00.000Z","customType":"x"}\n',
    );
    await rest('s.jsonl');
    before = await read();
    await run('s.jsonl --in-place --at aaaa0004 --apply');
    expect(await readAppended()).toMatchObject([{ id: '00000002', parentId: 'aaaa0004' }]);
  });

  it('skips a session in use', async () => {
    const now = () => OLD.getTime() + 120_000;
    const inUse = await run('s.jsonl --in-place --name x --apply', { now });
    expect(inUse.out).toContain('changed 2 min ago, within --grace 10min');
    expect(await read()).toBe(before);
    const done = await run('s.jsonl --in-place --name x --apply --grace 1min', { now });
    expect(done.out).toContain('Changed 1 of 1 session');
  });

  it('skips a session that goes on while it is summarized', async () => {
    const command = 'cat > /dev/null; echo late >> s.jsonl; printf "## Goal\\nx\\n"';
    const how = ['--summarize', '--summarizer', 'command', '--summarizer-command', command];
    const args = ['fork', 's.jsonl', '--in-place', '--at', 'aaaa0004', '--apply', ...how];
    const { PATH } = process.env;
    const { exitCode, out, err } = await runTest(args, { cwd: dir, env: { PATH } });
    expect([exitCode, out, err]).toEqual([
      0,
      expect.stringContaining('changed since it was read'),
      '',
    ]);
    expect(await read()).toBe(`${before}late\n`);
  });

  it('changes a session behind a symbolic link only when it is named', async () => {
    await writeFiles(dir, { 'store/--a--/other.jsonl': branchedSession() });
    await symlink(join(dir, 's.jsonl'), join(dir, 'store/--a--/link.jsonl'));
    await rest('store/--a--/other.jsonl');
    const { out } = await run('--store store --named * --in-place --name x --apply --json');
    expect(JSON.parse(out).results).toEqual([]);
    const all = await run('--store store --last 9 --in-place --name x --apply --json');
    const actions = JSON.parse(all.out).results.map((one: { action: string }) => one.action);
    expect(actions.toSorted()).toEqual(['label', 'skip']);
    expect(await read()).toBe(before);
    await run('store/--a--/link.jsonl --in-place --name x --apply');
    expect(await readAppended()).toMatchObject([{ type: 'session_info' }]);
  });
});

describe('fork --in-place refuses', () => {
  it.each([
    ['s.jsonl --apply', '--apply: needs --in-place'],
    ['s.jsonl --label a=b', '--label: needs --in-place'],
    ['s.jsonl --grace 1d', '--grace 1d: needs --in-place'],
    ['s.jsonl --in-place', '--in-place: needs --at or --before or --name or --label'],
    ['s.jsonl --in-place --summarize --name x', '--summarize: needs --at or --before'],
    ...['out x', 'id x', 'cwd x', 'whole', 'each-leaf', 'points'].map((option) => [
      `s.jsonl --in-place --name x --${option}`,
      'cannot be combined with',
    ]),
    ['s.jsonl --in-place --label x', '--label x: expected <entry>=<text>'],
    ['s.jsonl --in-place --label =x', '--label =x: expected <entry>=<text>'],
    ['--in-place --name x', 'expected targets or a selector'],
  ])('with exit 2: %s', async (line, message) => {
    const { exitCode, out, err } = await run(line);
    expect({ exitCode, out, err }).toEqual({
      exitCode: 2,
      out: '',
      err: expect.stringContaining(message ?? ''),
    });
    expect([await read(), await readdir(dir)]).toEqual([before, ['s.jsonl']]);
  });

  it.each([
    ['--at nowhere', 'has no entry and no label nowhere'],
    ['--before aaaa0002', 'is not a user message'],
    ['--label nowhere=x', 'has no entry and no label nowhere'],
  ])('a session that is named and has no such entry: %s', async (what, message) => {
    const { exitCode, err } = await run(`s.jsonl --in-place ${what} --apply`);
    expect([exitCode, err]).toEqual([3, expect.stringContaining(message)]);
    expect(await read()).toBe(before);
  });

  it('no session that was merely selected, but skips it', async () => {
    const { exitCode, out } = await run('. --in-place --at nowhere --apply');
    expect([exitCode, out]).toEqual([0, expect.stringContaining('skip')]);
  });

  it.each([
    [2, 'is of format version 2: migrate it first'],
    [9, 'newer'],
  ])('to append to version %i', async (version, message) => {
    const [header, ...entries] = branchedSession();
    const lines = [{ ...header, version }, ...entries];
    await writeFiles(dir, { 'old.jsonl': lines });
    await rest('old.jsonl');
    const { out, err } = await run('old.jsonl --in-place --at aaaa0001 --apply');
    expect(out + err).toContain(message);
    expect(await read('old.jsonl')).toBe(toJsonl(lines));
  });

  it('a path that goes in a circle, as pi would hang on it', async () => {
    const user = (id: string, parentId: string) => ({
      type: 'message',
      id,
      parentId,
      timestamp: '2026-01-01T00:00:00.000Z',
      message: { role: 'user', content: 'x' },
    });
    await writeFiles(dir, {
      'c.jsonl': [...branchedSession(), user('eeee1', 'eeee2'), user('eeee2', 'eeee1')],
    });
    await rest('c.jsonl');
    const { exitCode, err } = await run('c.jsonl --in-place --at eeee1 --apply');
    expect([exitCode, err]).toEqual([3, expect.stringContaining('is a cycle')]);
  });
});

describe('fork --in-place of a Neovate session', () => {
  async function take(name: string): Promise<string> {
    await copyFile(join(NEOVATE, name), join(dir, 'n.jsonl'));
    await rest('n.jsonl');
    return read('n.jsonl');
  }

  it.each(['--at 12345678', '--before 12345678', '--label 12345678=x'])(
    'is a usage error with the reason where it has no record for it: %s',
    async (what) => {
      const text = await take('config-summary.jsonl');
      const { exitCode, out, err } = await run(`n.jsonl --in-place ${what} --apply`);
      expect([exitCode, out, err]).toEqual([2, '', expect.stringContaining('Neovate keeps no')]);
      expect(await read('n.jsonl')).toBe(text);
    },
  );

  it('fails beside sessions that have one when it is named, and is skipped when not', async () => {
    await take('config-summary.jsonl');
    const named = await run('s.jsonl n.jsonl --in-place --at aaaa0001 --json');
    const found = await run('. --in-place --at aaaa0001 --json');
    const toActions = (out: string) =>
      JSON.parse(out)
        .results.map((one: { action: string }) => one.action)
        .toSorted();
    expect([named.exitCode, toActions(named.out)]).toEqual([3, ['fail', 'move']]);
    expect([found.exitCode, toActions(found.out)]).toEqual([0, ['move', 'skip']]);
  });

  it.each([
    'config-summary.jsonl',
    'config-only.jsonl',
    'legacy-0.14.0-tools.jsonl',
    'newer-snapshot-title.jsonl',
    'broken-two-config-lines.jsonl',
    'odd-crlf.jsonl',
  ])('names it in the config line and keeps every other byte: %s', async (name) => {
    const text = await take(name);
    const preview = await run('n.jsonl --in-place --name Trees --json');
    expect(await read('n.jsonl')).toBe(text);
    const { exitCode, out } = await run('n.jsonl --in-place --name Trees --apply --json');
    const after = await read('n.jsonl');
    expect([exitCode, out.replace('true', 'false')]).toEqual([0, preview.out]);
    expect(JSON.parse(out).results[0].bytesAfter).toBe(Buffer.byteLength(after));
    const [first = ''] = after.split('\n');
    expect(JSON.parse(first)).toMatchObject({ type: 'config', config: { summary: 'Trees' } });
    const messages = (all: string) =>
      all.split('\n').filter((line) => /"type": ?"(message|snapshot)/.test(line));
    expect(messages(after)).toEqual(messages(text));
    expect(await summarizeSession(join(dir, 'n.jsonl'), { usage: false })).toMatchObject({
      name: 'Trees',
    });
    await rest('n.jsonl');
    const again = await run('n.jsonl --in-place --name Trees --apply');
    expect(again.out).toContain('named Trees already');
    expect(await read('n.jsonl')).toBe(after);
  });

  it('puts settings that are elsewhere first, as the agent does', async () => {
    const [config = '', ...others] = (await take('config-summary.jsonl')).split('\n');
    await writeFile(join(dir, 'n.jsonl'), [others[0], config, ...others.slice(1)].join('\n'));
    await rest('n.jsonl');
    await run('n.jsonl --in-place --name Trees --apply');
    const [first = '', ...rest_] = (await read('n.jsonl')).split('\n');
    expect(rest_).toEqual(others);
    expect(first).toBe(config.replace(/"summary":"[^"]*"/, '"summary":"Trees"'));
  });
});
