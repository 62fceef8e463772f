import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readContext } from '../../../src/session/read/read-context.ts';
import { runTest } from '../../memory-terminal.ts';
import { getRecorded, placeRecorded } from '../../session/agents/codex/corpus.ts';
import { makeTempDir } from '../../temp-dir.ts';

async function exportAs(format: string, name: string, ...args: string[]): Promise<string> {
  const path = await placeRecorded(getRecorded(name));
  const run = await runTest(['export', path, '--as', format, ...args], { cwd: dirname(path) });
  if (run.exitCode !== 0) throw new Error(run.err);
  return run.out;
}

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

  it('tells a patch as a diff, and commands that only code mode made', async () => {
    const text = await exportAs('text', 'code-mode');
    expect(text).toContain('--- /dev/null\n+++ /home/u2/demo-project/new.txt\n+hello');
    expect(text).toContain('> exec_command {"command":"echo from code mode"}');
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

  it.each(['md', 'html', 'chat', 'atif', 'sts'])('has images and answers as %s', async (format) => {
    expect(await exportAs(format, 'images')).toContain('What is this?');
  });
});
