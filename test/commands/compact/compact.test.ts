import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readContext } from '../../../src/session/read/read-context.ts';
import { runTest } from '../../memory-terminal.ts';
import {
  assistant,
  call,
  HEADER,
  result,
  toChain,
  toSession,
  toUsage,
  user,
} from '../../session-lines.ts';
import { refused, startStandIn, streamed } from '../../summarize/stand-in.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';

const LONG_AGO = new Date('2026-04-01T00:00:00Z');

/** Due for any window below 150,000 tokens. */
const BIG = toSession([
  user('Please add a login page to the app. Never store passwords.'),
  call('c1', 'write', { path: 'src/login.ts' }),
  result('c1', 'write', 'written '.repeat(2000)),
  assistant('The login page is in src/login.ts and it works.'),
  user('And now a logout button, please.'),
  assistant('It is there. '.repeat(100), { usage: toUsage(150_000) }),
]);

async function setUp(lines: readonly object[] | string = BIG) {
  const dir = await makeTempDir();
  const path = join(dir, 'a.jsonl');
  await writeFile(path, typeof lines === 'string' ? lines : toJsonl(lines));
  await utimes(path, LONG_AGO, LONG_AGO);
  return { dir, path };
}

const DUE = ['--context-window', '100000', '--keep-recent-tokens', '330'];

async function compact(path: string, ...argv: readonly string[]) {
  const run = await runTest(['compact', path, '--json', ...argv]);
  const report = run.out === '' ? undefined : JSON.parse(run.out);
  return { ...run, result: report?.results[0], summary: report?.summary };
}

describe('compact', () => {
  it('previews the entry that --apply appends, and changes nothing', async () => {
    const { path } = await setUp();
    const before = await readFile(path, 'utf8');
    const preview = await compact(path, ...DUE);
    expect(await readFile(path, 'utf8')).toBe(before);
    expect(preview.result).toMatchObject({
      action: 'compact',
      compaction: { tokensBefore: 150_000, firstKeptEntryId: 'e4', isSplitTurn: false },
    });
    const applied = await compact(path, ...DUE, '--apply');
    expect({ ...applied.result }).toEqual(preview.result);
    const after = await readFile(path, 'utf8');
    expect(after.startsWith(before)).toBe(true);
    expect(Buffer.byteLength(after)).toBe(applied.result.bytesAfter);
    expect(JSON.parse(after.slice(before.length))).toMatchObject({
      type: 'compaction',
      parentId: 'e5',
      firstKeptEntryId: 'e4',
      details: { readFiles: [], modifiedFiles: ['src/login.ts'] },
      fromHook: false,
    });
    const { messages } = await readContext(path);
    expect(messages.map(({ role }) => role)).toEqual(['compactionSummary', 'user', 'assistant']);
    expect(messages[0]?.['summary']).toContain('- Never store passwords.');
  });

  it.each([
    ['whose context fits', ['--keep-recent-tokens', '330'], 'unchanged', 'still fits ('],
    ['with nothing before the recent messages', ['--force'], 'unchanged', 'nothing old enough'],
  ])('leaves a session %s', async (_, argv, action, reason) => {
    const { path } = await setUp();
    const { result: found } = await compact(path, ...argv);
    expect(found).toMatchObject({ action, reasons: [expect.stringContaining(reason)] });
  });

  it('counts sessions that need nothing, and shows those that were named', async () => {
    const { dir, path } = await setUp();
    const small = toSession([user('Hi'), assistant('Hello')]);
    await writeFiles(dir, { 'b.jsonl': small, 'c.jsonl': small });
    const preview = await runTest(['compact', dir, ...DUE, '--grace', '0min']);
    expect(preview.out).toMatch(/^ACTION .*\ncompact .*\nWould compact 1 of 3 sessions/);
    expect(preview.out).toContain(' 2 need no compaction. Nothing was changed.');
    const named = await runTest(['compact', path, '--keep-recent-tokens', '330']);
    expect(named.out).toMatch(/unchanged .* still fits \(150,000 of 200,000 tokens\)/);
  });

  it('says that a session is compacted already', async () => {
    const { path } = await setUp();
    await compact(path, ...DUE, '--apply', '--grace', '0min');
    const { result: again } = await compact(path, ...DUE, '--force', '--grace', '0min');
    expect(again).toMatchObject({ action: 'unchanged', reasons: ['already compacted'] });
  });

  it('takes the window of the model, the last that fits before the one for all', async () => {
    const { path } = await setUp();
    const windows = ['--context-window', '900000', '--context-window', 'anthropic/*=100000'];
    const keep = ['--keep-recent-tokens', '330'];
    expect((await compact(path, ...windows, ...keep)).result.action).toBe('compact');
    const { result: other } = await compact(path, '--context-window', 'x/*=1', ...keep);
    expect(other).toMatchObject({ action: 'unchanged', compaction: { contextWindow: 200_000 } });
  });

  it('leaves a session that was in use a moment ago', async () => {
    const { path } = await setUp();
    const { result: found } = await runNow(path, ...DUE, '--apply');
    expect(found).toMatchObject({
      action: 'skip',
      reasons: [expect.stringMatching(/^changed .* ago, within --grace 10min$/)],
    });
  });

  it('sends old formats to migrate', async () => {
    const v1 = [
      { ...HEADER, version: undefined },
      { type: 'message', message: user('hi') },
    ];
    const { path } = await setUp(v1);
    const { result: found } = await compact(path, '--force', '--apply');
    expect(found).toMatchObject({ action: 'skip', reasons: [expect.stringContaining('migrate')] });
  });

  it('shows the plan as a table, with the summary when asked', async () => {
    const { path } = await setUp();
    const { out } = await runTest(['compact', path, ...DUE, '--show-summaries']);
    expect(out).toMatch(/compact +\S+ +150,000 → [\d,]+ +e4 /);
    expect(out).toContain('## Goal\nPlease add a login page');
    expect(out).toContain('Nothing was changed.\nTo apply: add --apply.');
  });

  it('says where the summary is, when a preview makes none', async () => {
    const { path } = await setUp();
    const program = ['--summarizer', 'command', '--summarizer-command', 'exit 1'];
    const { out } = await runTest(['compact', path, ...DUE, ...program, '--show-summaries']);
    expect(out).toContain('Made with --apply: a preview asks neither endpoint nor program.');
    const none = await runTest(['compact', path, ...program, '--show-summaries']);
    expect(none.out).not.toContain('Made with --apply');
  });

  it.each([
    [['--reserve-tokens', '9', '--context-window', '9'], 'expected less than --context-window 9'],
    [['--context-window', 'many'], '--context-window many: expected 200000'],
    [['--context-window', 'x/*=0'], '--context-window x/*=0: expected 200000'],
    [['--summary-tokens', '0'], '--summary-tokens: expected a whole number from 1 to 1000000'],
    [
      ['--summarizer', 'openai', '--summarizer-model', 'm', '--base-url', 'http://u:p@h:99999'],
      '--base-url: is not a valid address; check its host and its port',
    ],
    [['--summarizer', 'openai'], '--summarizer openai: needs --summarizer-model'],
    [['--summarizer', 'openai', '--summarizer-model', 'm'], 'OPENAI_API_KEY holds no key'],
    [
      ['--summarizer', 'openai', '--summarizer-model', 'm', '--base-url', 'http://u:p@h'],
      '--base-url: holds a user or a password',
    ],
    [
      ['--summarizer', 'openai', '--summarizer-model', 'm', '--base-url', 'ftp://u:p@h'],
      '--base-url: expected an address',
    ],
    [['--summarizer', 'command'], '--summarizer command: needs --summarizer-command'],
    [['--summarizer-command', 'cat'], 'needs --summarizer command'],
    [['--tool-output', '10'], '--tool-output 10: expected at least'],
  ])('refuses %j', async (argv, message) => {
    const { path } = await setUp();
    const { exitCode, err } = await runTest(['compact', path, ...argv]);
    expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringContaining(message) });
  });
});

async function runNow(path: string, ...argv: readonly string[]) {
  const now = () => LONG_AGO.getTime() + 1000;
  const run = await runTest(['compact', path, '--json', ...argv], { now });
  return { result: JSON.parse(run.out).results[0] };
}

describe('compact with a model', () => {
  const askModel = (baseUrl: string) => [
    '--summarizer',
    'openai',
    '--summarizer-model',
    'm',
    '--base-url',
    baseUrl,
    '--price',
    '1/2',
  ];

  it('asks nobody for a preview, and writes what the model says, with the usage', async () => {
    const { path } = await setUp();
    const { baseUrl, requests } = await startStandIn([streamed('## Goal\nLogin.')]);
    const preview = await compact(path, ...DUE, ...askModel(baseUrl));
    expect(preview.result).toMatchObject({ compaction: { tokensAfter: null, summary: null } });
    expect(requests).toHaveLength(0);
    await compact(path, ...DUE, ...askModel(baseUrl), '--apply');
    const entry = JSON.parse((await readFile(path, 'utf8')).trimEnd().split('\n').at(-1) ?? '');
    expect(entry).toMatchObject({
      summary: '## Goal\nLogin.\n\n<modified-files>\nsrc/login.ts\n</modified-files>',
      usage: { totalTokens: 1200, cost: { total: 0.0014 } },
    });
  });

  it('writes nothing and says why when there is no good summary; others are done', async () => {
    const [bad, good] = [await setUp(), await setUp()];
    const refusal = refused(400, '{"error":{"message":"no such model"}}');
    const { baseUrl } = await startStandIn([refusal, streamed('## Goal\nLogin.')]);
    const before = await readFile(bad.path);
    const argv = ['compact', bad.path, good.path, '--json', '--jobs', '1', '--requests', '1'];
    const run = await runTest([...argv, ...DUE, ...askModel(baseUrl), '--apply']);
    expect(run.exitCode).toBe(3);
    expect(JSON.parse(run.out).summary.actions).toEqual({ compact: 1, fail: 1 });
    expect(run.err).toContain('the endpoint answers 400: no such model');
    expect(await readFile(bad.path)).toEqual(before);
  });

  it('lets a program make the summary', async () => {
    const { path } = await setUp();
    const program = ['--summarizer', 'command', '--summarizer-command', "echo '## Goal'"];
    const { result: found } = await runReal(path, ...DUE, ...program, '--apply');
    expect(found.compaction.summary).toMatch(/^## Goal\n/);
  });
});

async function runReal(path: string, ...argv: readonly string[]) {
  const { PATH } = process.env;
  const world = { env: { PATH }, cwd: process.cwd() };
  const run = await runTest(['compact', path, '--json', ...argv], world);
  return { result: JSON.parse(run.out).results[0] };
}

describe('compact with reducers', () => {
  const image = { type: 'image', data: Buffer.alloc(3000, 7).toString('base64') };
  const block = { ...image, mimeType: 'image/png' };
  const withImages = toSession([
    user([{ type: 'text', text: 'Look at this, please.' }, block]),
    assistant('I have seen it.'),
    user([block]),
    assistant('The same again.'),
  ]);

  it('puts images into private files beside the session, each once, and back', async () => {
    const { dir, path } = await setUp(withImages);
    const before = await readFile(path);
    const preview = await compact(path, '--images', 'extract');
    expect(await readdir(dir)).toEqual(['a.jsonl']);
    const { result: done } = await compact(path, '--images', 'extract', '--apply');
    expect(done).toEqual(preview.result);
    expect(done).toMatchObject({ action: 'reduce', reasons: ['2 images'] });
    const names = await readdir(join(dir, 'a'));
    expect(names).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.png$/)]);
    expect((await stat(join(dir, 'a', names[0] ?? ''))).mode & 0o777).toBe(0o600);
    expect((await readFile(path)).length).toBe(done.bytesAfter);
    const { result: restored } = await compact(path, '--images', 'restore', '--apply');
    expect(restored).toMatchObject({ action: 'restore' });
    expect(await readFile(path)).toEqual(before);
  });

  it('does not report the bytes as freed that the files of images take', async () => {
    const { dir, path } = await setUp(withImages);
    const { summary: preview } = await compact(path, '--images', 'extract');
    const { result: done, summary } = await compact(path, '--images', 'extract', '--apply');
    const [name = ''] = await readdir(join(dir, 'a'));
    const { size } = await stat(join(dir, 'a', name));
    expect(done.imageBytes).toBe(size);
    expect(summary.bytesReclaimed).toBe(done.bytesBefore - done.bytesAfter - size);
    expect(preview.bytesReclaimed).toBe(summary.bytesReclaimed);
  });

  it('says when the file of an image is gone', async () => {
    const { dir, path } = await setUp(withImages);
    await compact(path, '--images', 'extract', '--apply');
    const [name = ''] = await readdir(join(dir, 'a'));
    await writeFile(join(dir, 'a', name), 'other');
    const run = await compact(path, '--images', 'restore', '--apply');
    expect(run.result).toMatchObject({ action: 'fail' });
    expect(run.err).toContain('2 of its image files are missing or changed');
    expect(run.exitCode).toBe(3);
  });

  it('restores the images whose files are there, and fails for the others', async () => {
    const other = { ...block, data: Buffer.alloc(3000, 8).toString('base64') };
    const { dir, path } = await setUp(
      toSession([user([block]), assistant('Seen.'), user([other])]),
    );
    await compact(path, '--images', 'extract', '--apply');
    const [name = ''] = await readdir(join(dir, 'a'));
    await writeFile(join(dir, 'a', name), 'other');
    for (const apply of [[], ['--apply']]) {
      const run = await compact(path, '--images', 'restore', ...apply);
      expect(run.result).toMatchObject({ action: 'restore', missingImages: 1 });
      expect(run.err).toContain('1 of its image files is missing or changed');
      expect(run.exitCode).toBe(3);
    }
  });

  it('cuts long outputs once', async () => {
    const { path } = await setUp();
    const { result: cut } = await compact(path, '--tool-output', '1kB', '--apply');
    expect(cut).toMatchObject({ action: 'reduce', reasons: ['1 output cut'] });
    const { result: again } = await compact(path, '--tool-output', '1kB', '--apply');
    expect(again).toMatchObject({ action: 'unchanged', reasons: ['nothing to reduce'] });
  });

  it('restores no session that it only cuts', async () => {
    const { path } = await setUp();
    const both = ['--images', 'restore', '--tool-output', '1kB'];
    const { result: cut } = await compact(path, ...both);
    expect(cut).toMatchObject({ action: 'reduce', reasons: ['1 output cut'] });
    const { out } = await runTest(['compact', path, ...both]);
    expect(out).toContain('Would reduce 1 of 1 session');
    const { result: none } = await compact(path, '--images', 'restore');
    expect(none).toMatchObject({ action: 'unchanged', reasons: ['nothing to restore'] });
  });

  // Found by driving pi 0.40.1: the end of the branch was kept, and what led to it was not.
  it.each(['', 'here'])('keeps what leads to what is labeled %j', async (label) => {
    const talk = toSession([user('One.'), assistant('Two.'), user('Three.')]);
    const [aside, word] = toChain([user('Aside.'), { type: 'label', targetId: 'e2', label }], 3);
    const lines = [...talk, { ...aside, parentId: 'e0' }, { ...word, parentId: 'e0' }];
    const { path } = await setUp(toJsonl(lines));
    await compact(path, '--abandoned-branches', '--apply');
    expect(await readFile(path, 'utf8')).toBe(toJsonl([...lines.slice(0, 4), ...lines.slice(5)]));
  });

  it('takes no entries out of a session whose tree is damaged', async () => {
    const { path } = await setUp(`${toJsonl(BIG)}{"torn`);
    const { result: found } = await compact(path, '--abandoned-branches', '--apply');
    expect(found).toMatchObject({
      action: 'skip',
      reasons: [
        'line 8 does not parse: nothing is removed from a damaged session; see coppice validate',
      ],
    });
  });
});
