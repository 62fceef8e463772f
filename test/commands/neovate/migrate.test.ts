import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import {
  buildHealthy,
  SESSION_ID,
  toMessage,
  toText,
} from '../../session/agents/neovate/healthy-session.ts';
import { getRecorded } from '../../session/agents/neovate/recorded.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';
import { makeHome, type NeovateHome, PROJECT } from './world.ts';

const STORE = '.pi/agent/sessions';

let world: NeovateHome;

beforeEach(async () => {
  world = await makeHome();
});

interface Line extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly parentId: string | null;
  readonly type: string;
  readonly message?: Readonly<Record<string, unknown>>;
}

interface Problem {
  readonly line: number;
  readonly code: string;
}

/** Migrates one file of this text, and gives the lines of the new one. */
async function migrateText(text: string, name = SESSION_ID) {
  const dir = await makeTempDir();
  await writeFiles(dir, { [`${name}.jsonl`]: text });
  const argv = ['migrate', `${name}.jsonl`, '--to', 'pi', '--out', 'out', '--apply', '--json'];
  const run = await runTest(argv, { cwd: dir });
  const { results } = JSON.parse(run.out) as {
    results: readonly { newPath: string | null; reasons: string[]; problems: readonly Problem[] }[];
  };
  const [result] = results;
  const made = result?.newPath ? await readFile(result.newPath, 'utf8') : '';
  const lines = made.split('\n').filter((line) => line !== '');
  return {
    result,
    path: result?.newPath?.slice(dir.length) ?? '',
    lines: lines.map((line) => JSON.parse(line) as Line),
    codes: result?.problems.map(({ line, code }) => `${line} ${code}`) ?? [],
  };
}

describe('migrate --to pi', () => {
  it('shows what it would do, and does it when told to', async () => {
    const preview = await world.run('migrate', '--to', 'pi');
    expect(preview.out).toContain('Would migrate 3 of 4 sessions. 1 skipped. Nothing was changed.');
    await expect(readdir(join(world.home, '.pi'))).rejects.toThrow('ENOENT');
    const { out, err } = await world.run('migrate', '--to', 'pi', '--apply');
    expect(out).toContain('Migrated 3 of 4 sessions. 1 skipped.');
    expect(err).toContain('80c4e9fa.jsonl:2: 2 thoughts have no signature');
    const [project = '', ...others] = await readdir(join(world.home, STORE));
    expect([project, others]).toEqual(['--home-u-demo-project--', []]);
    const files = await readdir(join(world.home, STORE, project));
    expect(files).toContain('2026-11-20T23-57-22-578Z_f05de3d5.jsonl');
    const path = join(world.home, STORE, project, '2026-11-20T23-57-22-578Z_f05de3d5.jsonl');
    const source = await stat(join(world.home, PROJECT, 'f05de3d5.jsonl'));
    expect((await stat(path)).mtimeMs).toBe(source.mtimeMs);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('says in the preview what the run then does', async () => {
    const strip = (results: readonly object[]) => results.map((one) => ({ ...one, applied: null }));
    const before = strip(await world.results('migrate', '--to', 'pi'));
    expect(strip(await world.results('migrate', '--to', 'pi', '--apply'))).toEqual(before);
  });

  it('leaves the sources, and does nothing twice', async () => {
    const before = await readFile(join(world.home, PROJECT, '80c4e9fa.jsonl'), 'utf8');
    await world.run('migrate', '--to', 'pi', '--apply');
    expect(await readFile(join(world.home, PROJECT, '80c4e9fa.jsonl'), 'utf8')).toBe(before);
    const again = await world.results('migrate', '--to', 'pi', '--apply');
    expect(again.map(({ action }) => String(action)).toSorted()).toEqual([
      'skip',
      ...Array.from({ length: 6 }, () => 'unchanged'),
    ]);
    expect((await world.run('migrate', '--to', 'pi', '--check')).exitCode).toBe(0);
  });

  it('lists both agents afterwards, under the same project', async () => {
    expect((await world.run('migrate', '--to', 'pi', '--check')).exitCode).toBe(1);
    await world.run('migrate', '--to', 'pi', '--apply');
    const rows = await world.results('list', '--project', '/home/u/demo-project');
    expect(rows.map(({ agent }) => agent)).toHaveLength(7);
    expect(rows.filter(({ agent }) => agent === 'pi').map(({ name }) => name)).toContain(
      'Sorting helper',
    );
  });

  it('puts sessions where pi has been told to keep them', async () => {
    const env = { PI_CODING_AGENT_SESSION_DIR: '/flat' };
    const home = world.home;
    const argv = ['migrate', 'f05de3d5', '--to', 'pi', '--json', '--store', '.neovate/projects'];
    const { out } = await runTest(argv, { cwd: home, home, env });
    expect(out).toContain('"newPath":"/flat/2026-11-20T23-57-22-578Z_f05de3d5.jsonl"');
  });

  it('leaves alone what is in use, and what the agent would not open', async () => {
    await writeFiles(world.home, { [`${PROJECT}/x.jsonl`]: toText(buildHealthy()) });
    const { mtimeMs } = await stat(join(world.home, PROJECT, 'x.jsonl'));
    const now = () => mtimeMs;
    const options = { cwd: world.home, home: world.home, now };
    const run = await runTest(['migrate', `${PROJECT}/x.jsonl`, '--to', 'pi'], options);
    expect(run.out).toContain('changed 0 s ago, within --grace 10min');
    const torn = await migrateText(getRecorded('broken-torn-last-line').text);
    expect(torn.result).toMatchObject({ action: 'skip', reasons: [expect.stringContaining('14')] });
    const circle = await migrateText(getRecorded('broken-self-parent').text);
    expect(circle.result).toMatchObject({ action: 'skip' });
    const twice = await migrateText(getRecorded('broken-duplicate-uuid').text);
    expect(twice.result?.reasons).toEqual([
      'messages share a uuid, or form a cycle; run coppice validate',
    ]);
  });

  it.each([
    [['--cwd', '/a=/b'], '--to pi: cannot be combined with'],
    [['--backup', '.old'], '--to pi: cannot be combined with'],
    [['--to', 'emacs'], '--to emacs: unknown value; use pi'],
  ])('refuses %j', async (args, message) => {
    const { exitCode, err } = await world.run('migrate', '--to', 'pi', ...args);
    expect(exitCode).toBe(2);
    expect(err).toContain(message);
  });
});

describe('what becomes of a Neovate session in pi', () => {
  it('keeps every uuid, and chains results one after the other', async () => {
    const { lines } = await migrateText(toText(buildHealthy()));
    const messages = lines.filter(({ type }) => type === 'message' || type === 'compaction');
    const chain = messages.map(({ id, parentId }) => `${parentId} ${id}`);
    const [first = ''] = messages.slice(2).map(({ id }) => id);
    expect(first).toMatch(/^[0-9a-f]{8}$/);
    expect(chain.slice(1)).toEqual([
      'ask call',
      `call ${first}`,
      `${first} results`,
      'results left',
      'results again',
      'again done',
      'done summary',
      'summary next',
      'next old',
      'old oldResult',
      'oldResult last',
    ]);
  });

  it('makes a compaction that keeps nothing of a summary, after what it stands for', async () => {
    const { lines } = await migrateText(getRecorded('compacted-slash').text);
    const compaction = lines.find(({ type }) => type === 'compaction');
    expect(compaction).toMatchObject({
      parentId: '82dbdb89-c74d-4abe-975f-6c7d76c78015',
      firstKeptEntryId: compaction?.id,
      tokensBefore: 1005,
    });
  });

  it('keeps what pi has no words for as the state of an extension, before the messages', async () => {
    const { lines, codes } = await migrateText(toText(buildHealthy()));
    expect(lines.slice(0, 5).map(({ type }) => type)).toEqual([
      'session',
      'custom',
      'custom',
      'session_info',
      'message',
    ]);
    expect(lines[1]).toMatchObject({ customType: 'neovate.config', data: { summary: 'Tidy' } });
    expect(lines[2]).toMatchObject({ customType: 'neovate.snapshot', data: { messageId: 'last' } });
    expect(lines[3]).toMatchObject({ name: 'Tidying', parentId: lines[2]?.id });
    expect(lines[4]?.parentId).toBe(lines[3]?.id);
    // Of each kind one, where it is first met.
    expect(codes).toEqual([
      '1 cwd-unknown',
      '1 approval-lost',
      '3 thought-lost',
      '7 model-lost',
      '13 backup-lost',
    ]);
  });

  it.each([
    [
      { input_tokens: 7, output_tokens: 3 },
      { input: 7, output: 3, totalTokens: 10 },
    ],
    [
      { promptTokens: 7, completionTokens: 3, totalTokens: 10 },
      { input: 7, output: 3, totalTokens: 10 },
    ],
  ])('keeps the usage %j', async (stored, usage) => {
    const answer = { uuid: 'a', parentUuid: null, role: 'assistant', content: 'Hi', usage: stored };
    const { lines, codes } = await migrateText(toText([toMessage({ ...answer, model: 'x/y' }, 0)]));
    expect(lines[1]).toMatchObject({ message: { usage } });
    expect(codes).toEqual(['1 cwd-unknown']);
  });

  it('names everything that pi does not know', async () => {
    const answer = {
      uuid: 'a',
      parentUuid: null,
      role: 'assistant',
      model: 'x/y',
      content: [{ type: 'text', text: 'Hi', cached: 1 }],
      text: 'Hi <use_tool>',
      usage: { promptTokens: 7, reasoningTokens: 2, totalTokens: 9 },
      metadata: { agentId: 'z' },
    };
    const title = { type: 'custom-title', customTitle: 'One', sessionId: SESSION_ID };
    const { result } = await migrateText(
      toText([
        title,
        { ...title, customTitle: 'Two' },
        toMessage(answer, 0),
        toMessage({ ...answer, uuid: 'b', parentUuid: 'a' }, 1),
      ]),
    );
    expect(result?.problems).toEqual([
      expect.objectContaining({ code: 'cwd-unknown' }),
      expect.objectContaining({ line: 1, code: 'title-lost' }),
      {
        line: 3,
        code: 'field-lost',
        message: '2 messages lose fields that pi does not know: metadata, cached',
      },
      {
        line: 3,
        code: 'usage-lost',
        message:
          '2 answers lose numbers of their usage that pi does not know: reasoningTokens, totalTokens',
      },
      {
        line: 3,
        code: 'text-lost',
        message: '2 answers lose texts that differ from their content',
      },
    ]);
  });

  it('shows names from a session on one line and without signs of a terminal', async () => {
    const name = 'ba\nsh\u001b[31m';
    const call = { type: 'tool_use', id: 'c', name, input: {} };
    const answer = {
      uuid: 'a',
      parentUuid: null,
      role: 'assistant',
      model: 'x/y',
      content: [call],
    };
    const { result } = await migrateText(toText([toMessage({ ...answer, [name]: 1 }, 0)]));
    expect(result?.problems).toEqual([
      expect.objectContaining({ code: 'cwd-unknown' }),
      expect.objectContaining({
        message: '1 message loses fields that pi does not know: bash[31m',
      }),
      expect.objectContaining({
        message: 'a call of bash[31m has no result: pi reports that to the model',
      }),
    ]);
  });

  it('joins a command and what came of it', async () => {
    const { lines } = await migrateText(getRecorded('bang-slash-plan').text);
    const [first, second] = lines.filter(({ type }) => type === 'message');
    expect(first?.message).toEqual({
      role: 'bashExecution',
      command: 'echo hello from bang',
      output: 'hello from bang',
      exitCode: 0,
      cancelled: false,
      truncated: false,
      timestamp: 1795219719748,
    });
    expect(second?.message).toMatchObject({ exitCode: 3, output: '' });
    expect(second?.parentId).toBe(first?.id);
    expect(lines.find(({ type }) => type === 'custom_message')).toMatchObject({ display: false });
  });

  it('keeps a command by itself where another branch begins at it', async () => {
    const at = (index: number, message: Parameters<typeof toMessage>[0]) =>
      toMessage({ role: 'user', ...message }, index);
    const out = '<bash-stdout>Command: ls\nExit Code: 0</bash-stdout>';
    const lines = [
      at(0, { uuid: 'in', parentUuid: null, content: '<bash-input>ls</bash-input>' }),
      at(1, { uuid: 'out', parentUuid: 'in', content: out }),
      at(2, { uuid: 'other', parentUuid: 'in', content: 'Never mind' }),
    ];
    const made = (await migrateText(toText(lines))).lines.slice(1);
    expect(made.map(({ message }) => message?.['role'])).toEqual(['user', 'bashExecution', 'user']);
  });

  it('splits the name of a model at its first slash, and knows what it cost in tokens', async () => {
    const { lines } = await migrateText(getRecorded('model-switch').text);
    const answers = lines.filter(({ message }) => message?.['role'] === 'assistant');
    expect(
      answers.map(({ message }) => [message?.['api'], message?.['provider'], message?.['model']]),
    ).toEqual([
      ['anthropic-messages', 'anthropic', 'claude-sonnet-4-5-20250929'],
      ['openai-completions', 'openrouter', 'anthropic/claude-sonnet-4.5'],
    ]);
    expect(answers[0]?.message).toMatchObject({
      stopReason: 'stop',
      usage: { input: 500, output: 10, cacheRead: 0, cacheWrite: 0, totalTokens: 510 },
    });
  });

  it('takes the prefix off images, and keeps what people were shown as details', async () => {
    const { lines } = await migrateText(getRecorded('linear-tools').text);
    const results = lines.filter(({ message }) => message?.['role'] === 'toolResult');
    const image = results.find(({ message }) => message?.['toolCallId'] === 'toolu_07Img');
    expect(image?.message?.['content']).toMatchObject([{ type: 'image', mimeType: 'image/png' }]);
    expect(JSON.stringify(image?.message?.['content'])).not.toContain('data:image');
    const edit = results.find(({ message }) => message?.['toolCallId'] === 'toolu_03Edit');
    expect(edit?.message?.['details']).toMatchObject({ returnDisplay: { type: 'diff_viewer' } });
    const unknown = results.find(({ message }) => message?.['toolCallId'] === 'toolu_09Unknown');
    expect(unknown?.message?.['isError']).toBe(true);
  });

  it('names parents that are gone, and beginnings in the middle', async () => {
    const { lines, codes } = await migrateText(getRecorded('broken-dangling-parent').text);
    expect(codes).toContain('7 entry-orphan');
    expect(lines.find(({ id }) => id.startsWith('42a0c0a4'))?.parentId).toBeNull();
    const stray = {
      uuid: 'stray',
      parentUuid: null,
      role: 'assistant',
      content: 'x',
      model: 'a/b',
    };
    const healthy = await migrateText(toText([...buildHealthy(), toMessage(stray, 99)]));
    expect(healthy.codes).toContain('15 root-stray');
  });

  it('takes the working directory from what tools said, or else from where we are', async () => {
    const told = await migrateText(getRecorded('bang-slash-plan').text);
    expect(told.lines[0]).toMatchObject({ cwd: '/home/u/demo-project' });
    expect(told.path).toContain('/--home-u-demo-project--/');
    const unknown = await migrateText(getRecorded('model-switch').text);
    expect(unknown.codes).toEqual(['1 cwd-unknown']);
  });

  it('gives an id that pi takes, whatever the file is called', async () => {
    const { lines } = await migrateText(getRecorded('model-switch').text, '_my sessión_');
    expect(lines[0]?.id).toBe('my-sessi-n');
  });

  it('keeps a line of results that holds none, for what hangs on it', async () => {
    const empty = { uuid: 'empty', parentUuid: 'last', role: 'tool', content: [] };
    const after = { uuid: 'after', parentUuid: 'empty', role: 'user', content: 'On.' };
    const text = toText([...buildHealthy(), toMessage(empty, 98), toMessage(after, 99)]);
    const { lines } = await migrateText(text);
    expect(lines.slice(-2)).toMatchObject([
      { type: 'custom', customType: 'neovate.message', id: 'empty' },
      { type: 'message', id: 'after', parentId: 'empty' },
    ]);
  });
});

describe('a change of the model', () => {
  it('is an entry of its own above the first answer of the new one, and only there', async () => {
    const switched = await migrateText(getRecorded('model-switch').text);
    const models = switched.lines.flatMap(({ message }) => message?.['model'] ?? []);
    expect(new Set(models).size).toBe(2);
    const changes = switched.lines.filter(({ type }) => type === 'model_change');
    const first = switched.lines.find(({ message }) => message?.['model'] === models[1]);
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({ id: first?.parentId, modelId: models[1] });
    const { lines } = await migrateText(getRecorded('linear-tools').text);
    expect(lines.filter(({ type }) => type === 'model_change')).toEqual([]);
  });
});
