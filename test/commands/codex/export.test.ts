import { createSubagentReader } from '../../../src/store/sessions/subagents.ts';
import { createSourceReader } from '../../../src/store/sessions/surroundings.ts';
import { createRows } from '../../../src/export/formats/parquet/rows.ts';
import { summarizeSession } from '../../../src/session/read/summaries/summarize-session.ts';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readContext } from '../../../src/session/read/read-context.ts';
import { runTest } from '../../memory-terminal.ts';
import { FIXTURES, getRecorded, placeRecorded } from '../../session/agents/codex/corpus.ts';
import { makeTempDir } from '../../temp-dir.ts';
import { toZstd } from '../../zstd-frames.ts';

async function exportAs(format: string, name: string, ...args: string[]): Promise<string> {
  const path = await placeRecorded(getRecorded(name));
  const run = await runTest(['export', path, '--as', format, ...args], { cwd: dirname(path) });
  if (run.exitCode !== 0) throw new Error(run.err);
  return run.out;
}

interface ChatMessage {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly id: string }[];
}

interface SentMessage {
  readonly blocks: readonly {
    readonly type: string;
    readonly toolCallId: string;
    readonly text: string;
  }[];
}

interface Step {
  readonly tool_calls?: readonly unknown[];
  readonly observation?: { readonly results: readonly unknown[] };
}

/** Parts of a text are a blank line apart, or a line. */
const toWords = (text: string | null): string => (text ?? '').replace(/\s+/g, ' ');

/** The client answers a call so that has no output. */
const isStopgap = ({ text }: { readonly text: string }): boolean => text === 'aborted';

describe('export of a Codex session', () => {
  it.each(['fork-of-fork', 'reverted-second-generation', 'era-0.80-rollback', 'compacted-auto'])(
    'as jsonl is one file with the same context: %s',
    async (name) => {
      const copy = join(await makeTempDir(), 'copy.jsonl');
      await writeFile(copy, await exportAs('jsonl', name));
      const { messages } = await readContext(await placeRecorded(getRecorded(name)));
      expect((await readContext(copy)).messages).toEqual(messages);
    },
  );

  it('as text says a prompt, a thought, a command and an answer once each', async () => {
    const text = await exportAs('text', 'linear-tools');
    const count = (part: string): number => text.split(part).length - 1;
    expect(['Looking at the project', 'There is one file.', 'Thanks'].map(count)).toEqual([
      1, 1, 1,
    ]);
    expect(text).toContain('--- User · 2026-11-21T21:09:34.180Z\nList the files');
    expect(text).toContain('> exec_command {"cmd":"echo hi"}');
    expect(text).toMatch(/--- Tool result: exec_command · \S+\nhi\n/);
  });

  it.each(['chat', 'sts', 'atif'])('has the tools that the harness adds as %s', async (as) => {
    const out = await exportAs(as, 'code-mode', '--harness', '--no-redact');
    const [first = ''] = (await exportAs('context', 'code-mode')).split('\n');
    const { blocks } = JSON.parse(first) as SentMessage;
    expect(out).toContain(JSON.stringify(blocks[0]?.text));
    expect(out).not.toContain('"role":"user","content":""');
    expect(out).not.toContain('"source":"user","message":""');
  });

  it('tells a patch as a diff, and commands that only code mode made', async () => {
    const text = await exportAs('text', 'code-mode');
    expect(text).toContain('--- /dev/null\n+++ /home/u2/demo-project/new.txt\n+hello');
    expect(text).toContain('> exec_command {"command":"echo from code mode"}');
  });

  it.each(['text', 'md'])('as %s tells what came of a call in the turn of the call', async (as) => {
    const text = await exportAs(as, 'interrupted');
    const [call, result, next] = ['sleep 30', '_command (error)', 'Gone on.'];
    const places = [call, result, next].map((part) => text.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('puts a command of code mode, too, where its turn was broken off', async () => {
    const path = await placeRecorded(getRecorded('interrupted'));
    const text = await readFile(path, 'utf8');
    const isLate = (line: string): boolean => line.includes('"CommandExecution"');
    const late = text.split('\n').find(isLate) ?? '';
    const inner = late.replace('"call_2"', '"exec-1"').replace('"sleep 30"]', '"sleep 9"]');
    await writeFile(path, `${text}${inner.replace(/"ordinal":\d+/, '"ordinal":26')}\n`);
    const run = await runTest(['export', path, '--as', 'text'], { cwd: dirname(path) });
    expect(run.out.indexOf('{"command":"sleep 9"}')).toBeLessThan(run.out.indexOf('Gone on.'));
    // A page shows the tree, in which each line has its place.
    const page = await runTest(['export', path, '--as', 'html'], { cwd: dirname(path) });
    expect(page.out.indexOf('sleep 9')).toBeGreaterThan(page.out.indexOf('Gone on.'));
  });

  it('goes through every file of a fork of a fork', async () => {
    const text = await exportAs('text', 'fork-of-fork');
    const prompts = [...text.matchAll(/--- User · \S+\n(.*)/g)].map(([, prompt]) => prompt);
    expect(prompts).toEqual(['First', 'Second', 'Fork question', 'Deep question']);
  });

  it.each([
    ['environment_context', 'linear-tools'],
    ['turn_aborted', 'interrupted'],
    ['[shortened by the recorder', 'code-mode'],
  ])('has what the client tells the model (%s) only with --harness', async (part, name) => {
    expect(await exportAs('json', name)).not.toContain(part);
    expect(await exportAs('json', name, '--harness')).toContain(part);
  });

  it('as context is what the model is sent, one item a line', async () => {
    const lines = (await exportAs('context', 'linear-tools')).trimEnd().split('\n');
    const sent = lines.map((line) => JSON.parse(line) as object).slice(1, 5);
    const output = /^Chunk ID: [^]*\nhi\n$/;
    expect(sent).toEqual([
      { role: 'user', blocks: [{ type: 'text', text: 'List the files' }] },
      { role: 'assistant', blocks: [{ type: 'thinking', text: 'Looking at the project' }] },
      {
        role: 'assistant',
        blocks: [
          { type: 'toolCall', id: 'call_2', name: 'exec_command', arguments: { cmd: 'echo hi' } },
        ],
      },
      {
        role: 'user',
        blocks: [
          {
            type: 'toolResult',
            toolCallId: 'call_2',
            isError: false,
            text: expect.stringMatching(output),
            images: [],
          },
        ],
      },
    ]);
  });

  it('has a whole old file, which no newer client opens', async () => {
    const text = await exportAs('text', 'era-0.20');
    expect(text).toContain('List the files');
    expect(text).toContain('You are welcome.');
  });

  it.each(['tools-mixed', 'code-mode', 'linear-tools', 'broken-paginated-second-meta-in-middle'])(
    'as chat has the calls and results that the model is sent: %s',
    async (name) => {
      const chat = JSON.parse(await exportAs('chat', name)) as { messages: readonly ChatMessage[] };
      const calls = chat.messages.flatMap(({ tool_calls }) => tool_calls ?? []);
      const context = (await exportAs('context', name)).trimEnd().split('\n');
      const sent = context.flatMap((line) => (JSON.parse(line) as SentMessage).blocks);
      const results = sent.filter((block) => block.type === 'toolResult' && !isStopgap(block));
      expect(calls.map(({ id }) => id)).toEqual(results.map(({ toolCallId }) => toolCallId));
      const answers = chat.messages.filter(({ role }) => role === 'tool');
      expect(answers.map(({ content }) => toWords(content))).toEqual(
        results.map(({ text }) => toWords(text)),
      );
    },
  );

  it('as atif has the results of calls that the model made at once in one step', async () => {
    const atif = JSON.parse(await exportAs('atif', 'tools-mixed')) as { steps: readonly Step[] };
    const steps = atif.steps.filter(({ tool_calls = [] }) => tool_calls.length > 1);
    expect(steps.map(({ observation }) => observation?.results.length)).toEqual([1, 4]);
  });

  it.each(['md', 'html', 'chat', 'atif', 'sts'])('has images and answers as %s', async (format) => {
    expect(await exportAs(format, 'images')).toContain('What is this?');
  });
});

/** A third generation, as the client writes one that reverts the turn of the second. */
async function addGeneration(path: string): Promise<string> {
  const text = await readFile(path, 'utf8');
  const [header = '', settings = '', ...turn] = text.split('\n');
  const second = /_([0-9a-f-]{36})\.jsonl$/.exec(path)?.[1] ?? '';
  const third = 'ffffffff-0000-7000-8000-000000000003';
  const end = Buffer.byteLength(`${header}\n${settings}\n`);
  const base = `"history_base":{"thread_id":"${second}","end_ordinal_exclusive":22,"end_byte_offset":${end}}`;
  const own = header
    .replace('"ordinal":20', '"ordinal":22')
    .replace(/"history_base":\{[^}]*\}/, base)
    .replaceAll('21:09:36.596Z', '21:09:37.000Z');
  const said = turn.join('\n').replaceAll('differently', 'once more');
  const made = path.replace(second, third);
  await writeFile(made, `${own}\n${said}`);
  return made;
}

describe('a thread of several generations', () => {
  it('is one session, and one document, in what the last one goes on with', async () => {
    const path = await placeRecorded(getRecorded('reverted-second-generation'));
    const third = await addGeneration(path);
    const store = dirname(path);
    const world = { cwd: store, home: store };
    const { out } = await runTest(['list', '--store', store, '--json'], world);
    const { results } = JSON.parse(out) as { results: readonly Record<string, unknown>[] };
    expect(results).toMatchObject([{ path: third, parentSessionPath: null }]);
    expect(results[0]?.['files']).toHaveLength(3);
    const { messages } = await readContext(third);
    const texts = JSON.stringify(messages);
    expect(texts).toContain('List the files');
    expect(texts).toContain('Second, once more');
    expect(texts).not.toContain('Second, differently');
    const target = await makeTempDir();
    const argv = ['export', '--store', store, '--as', 'text', '--out', target];
    expect((await runTest(argv, world)).exitCode).toBe(0);
    const files = (await readdir(target)).filter((name) => name.endsWith('.txt'));
    expect(files).toHaveLength(1);
    const leaves = await runTest(['fork', third, '--each-leaf', '--dry-run', '--json'], world);
    const forks = JSON.parse(leaves.out) as { results: readonly unknown[] };
    expect(forks.results).toHaveLength(3);
  });

  it('as parquet is one session, too', async () => {
    const path = await placeRecorded(getRecorded('reverted-second-generation'));
    await addGeneration(path);
    const store = dirname(path);
    const target = await makeTempDir();
    const argv = ['export', '--store', store, '--as', 'parquet', '--out', target, '--json'];
    const { exitCode, out, err } = await runTest(argv, { cwd: store, home: store });
    expect({ exitCode, err }).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(out)).toMatchObject({ command: 'export' });
  });
});

describe('what sub-agents of a thread said', () => {
  async function exportParent(...args: readonly string[]) {
    const home = await makeTempDir();
    await cp(join(FIXTURES, 'home'), home, { recursive: true });
    const argv = ['export', '01a1fffd-546c-7510-b5fc-2cd045944e1a', '--as', 'text', ...args];
    const world = { cwd: home, home, env: { CODEX_HOME: home } };
    return { home, world, run: await runTest(argv, world) };
  }

  /** A secret that only the sub-agent gives away stands in the thread, too. */
  async function plantInChild() {
    const { home, world } = await exportParent();
    const day = join(home, 'sessions/2026/11/21');
    const names = await readdir(day);
    const find = (part: string): string => join(day, names.find((one) => one.includes(part)) ?? '');
    const [parent, child] = [find('-546c-'), find('-54ad-')];
    const secret = 'Zk3v9-8842xQw8E';
    const replace = async (path: string, from: RegExp, to: string): Promise<void> => {
      await writeFile(path, (await readFile(path, 'utf8')).replaceAll(from, to));
    };
    await replace(child, /Child task/g, `Child task DB_PASSWORD=${secret}`);
    await replace(parent, /Spawn a helper/g, `plain ${secret}`);
    return { world, parent, secret };
  }

  it('stands below the call that began it, once, and without tools not at all', async () => {
    const { run } = await exportParent();
    const [call, said] = [
      '> spawn_agent',
      'Sub-agent Einstein\n\nPrompt: Child task\n\nSub-agent: y',
    ];
    expect([run.err, run.out.split(said)]).toMatchObject(['', { length: 2 }]);
    expect(run.out.indexOf(call)).toBeLessThan(run.out.indexOf(said));
    expect((await exportParent('--no-tools')).run.out).not.toContain('Einstein');
  });

  it('is without secrets, also where a secret is in no line of the thread itself', async () => {
    const { world, secret } = await plantInChild();
    const argv = ['export', '01a1fffd-546c-7510-b5fc-2cd045944e1a', '--as', 'text', '--redact'];
    const { out } = await runTest(argv, world);
    expect(out).toContain('Prompt: Child task DB_PASSWORD=[REDACTED:assigned-secret]');
    expect(out).not.toContain(secret);
  });

  it.each(['json', 'md', 'jsonl'])('gives away what %s shows of the thread', async (format) => {
    const { world, secret } = await plantInChild();
    const argv = ['export', '01a1fffd-546c-7510-b5fc-2cd045944e1a', '--as', format, '--redact'];
    const { out } = await runTest(argv, world);
    expect(out).toContain('plain [REDACTED:assigned-secret]');
    expect(out).not.toContain(secret);
  });

  it('gives away what tables show of the thread', async () => {
    const { parent, secret } = await plantInChild();
    const summary = await summarizeSession(parent, { usage: true });
    if (!('path' in summary)) throw new Error('no session');
    const { signal } = new AbortController();
    const inherited = new Map<string, ReadonlySet<number>>();
    const readWhole = createSourceReader({ env: {} });
    const facts = { secrets: [], inherited, generator: 'test', onGap: () => {} };
    const addSubagents = createSubagentReader({ usage: true });
    const source = { ...facts, readWhole, addSubagents, signal };
    const tables = await createRows(source);
    const rows: object[] = [];
    for await (const row of tables.sessions([summary])) rows.push(row);
    for await (const row of tables.entries([summary])) rows.push(row);
    const shown = rows.map((row) => Object.values(row).join(' ')).join('\n');
    expect(shown).toContain('plain [REDACTED:assigned-secret]');
    expect(shown).not.toContain(secret);
  });

  it('is left out where its thread is gone, and ends where two began each other', async () => {
    const { home, world } = await exportParent();
    const day = join(home, 'sessions/2026/11/21');
    const names = await readdir(day);
    const [parent = '', child = ''] = ['546c', '54ad'].map((part) =>
      join(day, names.find((name) => name.includes(`-${part}-`)) ?? ''),
    );
    const text = await readFile(child, 'utf8');
    const item = (await readFile(parent, 'utf8'))
      .split('\n')
      .find((line) => line.includes('"CollabAgentToolCall"'));
    await writeFile(
      child,
      `${text}${item?.replaceAll('01a1fffd-54ad-7773-b355-e5616e5c1e65', '01a1fffd-546c-7510-b5fc-2cd045944e1a')}\n`,
    );
    const looped = await runTest(['export', parent, '--as', 'md'], world);
    expect(looped.exitCode).toBe(0);
    await rm(child);
    const alone = await runTest(['export', parent, '--as', 'text'], world);
    expect([alone.exitCode, alone.out.includes('Prompt: Child task')]).toEqual([0, false]);
  });
});

it('reports that a part is missing, and never repeats what stands where a file should be named', async () => {
  const path = await placeRecorded(getRecorded('fork-child'));
  const secret = 'ghp_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789';
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace(/("history_base":\{"thread_id":")[^"]*/, `$1${secret}`));
  const run = await runTest(['export', path, '--as', 'md', '--redact'], { cwd: dirname(path) });
  expect(run.out + run.err).not.toContain(secret);
  expect(run.err).toContain('history_base is incomplete (thread_id is not a UUID)');
});

it('reads the plain file of a parent that is compressed, too, as the client does', async () => {
  const recorded = getRecorded('fork-child');
  const path = await placeRecorded(recorded);
  const parent = join(path.slice(0, -recorded.place.length), recorded.also[0]?.place ?? '');
  const { messages } = await readContext(path);
  const other = (await readFile(parent, 'utf8')).replaceAll('"First"', '"Other"');
  await writeFile(`${parent}.zst`, toZstd(Buffer.from(other)));
  expect((await readContext(path)).messages).toEqual(messages);
});
