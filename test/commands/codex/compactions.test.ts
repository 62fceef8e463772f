import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getRecorded, placeRecorded } from '../../session/agents/codex/corpus.ts';
import { makeTempDir } from '../../temp-dir.ts';
import { runTest } from '../../memory-terminal.ts';

async function runOn(name: string, ...args: readonly string[]) {
  const path = await placeRecorded(getRecorded(name));
  const [verb = '', ...options] = args;
  return runTest([verb, path, ...options], { cwd: dirname(path), home: dirname(path) });
}

interface Sent {
  readonly role: string;
  readonly content: string;
}

/** The text of a prompt in a context; empty for all else. */
function toPrompt(line: string): string {
  const { role, blocks } = JSON.parse(line) as {
    readonly role: string;
    readonly blocks: readonly { readonly type: string; readonly text: string }[];
  };
  const [block] = blocks;
  return role === 'user' && block?.type === 'text' ? block.text : '';
}

interface Found {
  readonly results: readonly Readonly<Record<string, unknown>>[];
}

describe('the answer of the model that becomes a summary', () => {
  it.each(['text', 'chat', 'atif', 'sts'])('is in %s no answer', async (format) => {
    const run = await runOn('compacted-auto', 'export', '--full-history', '--as', format);
    expect(run.out.split('AUTO SUMMARY')).toHaveLength(2);
    expect(run.out.split('Second answer.')).toHaveLength(2);
  });

  it('is no message in a list', async () => {
    const { out } = await runOn('compacted-manual', 'list', '--json');
    expect((JSON.parse(out) as Found).results).toMatchObject([{ messageCount: 4 }]);
    const entries = await runOn('compacted-manual', 'list', '--entries', '--json');
    const row = (JSON.parse(entries.out) as Found).results.find(({ line }) => line === 16);
    expect(row).toMatchObject({ role: 'harness', inContext: false, visible: false });
  });

  it('is in a session of pi only as a summary', async () => {
    const out = await makeTempDir();
    await runOn(
      'compacted-manual',
      'migrate',
      '--to',
      'pi',
      '--out',
      out,
      '--apply',
      '--grace',
      '0',
    );
    const names = await readdir(out, { recursive: true });
    const name = names.find((one) => one.endsWith('.jsonl')) ?? '';
    const text = await readFile(join(out, name), 'utf8');
    expect(text.split('SUMMARY TEXT')).toHaveLength(2);
    expect(text).toContain('"content":[{"type":"text","text":"A1"}]');
  });
});

describe('the prompts that a compaction keeps', () => {
  const list = async (name: string, format: string, ...options: readonly string[]) => {
    const { out } = await runOn(name, 'export', '--as', format, ...options);
    return ['First', 'Second', 'Third', 'environment_context'].map(
      (prompt) => out.split(new RegExp(`(?<![\\w /])${prompt}(?=["\\n>])`)).length - 1,
    );
  };

  it.each(['md', 'text', 'json', 'chat', 'atif', 'sts'])(
    'are in %s before the summary, as the model sees them',
    async (format) => {
      // The title is the first prompt.
      const title = ['md', 'text', 'json'].includes(format) ? 1 : 0;
      const kept = await list('compacted-auto', format);
      expect(kept).toEqual([1 + title, 1, 1, 0]);
    },
  );

  it('come with the text of the client if asked for, and not twice in a full history', async () => {
    expect(await list('compacted-auto', 'chat', '--harness')).toEqual([1, 1, 1, 1]);
    expect(await list('compacted-auto', 'chat', '--full-history')).toEqual([1, 1, 1, 0]);
  });

  it.each(['era-0.130', 'made-compaction-appended', 'made-rollback-over-compaction'])(
    'are those of the context: %s',
    async (name) => {
      const chat = await runOn(name, 'export', '--as', 'chat');
      const { messages } = JSON.parse(chat.out) as { messages: readonly Sent[] };
      const context = await runOn(name, 'export', '--as', 'context');
      const sent = context.out.trimEnd().split('\n').map(toPrompt);
      const prompts = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
      expect(prompts).toEqual(sent.filter((one) => one !== '' && !one.startsWith('<')));
    },
  );

  it('are those before a compaction of an old release, which holds none', async () => {
    const path = await placeRecorded(getRecorded('era-0.130'));
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace(/,"replacement_history":\[.*?\]\}\]/, ''));
    const { out } = await runTest(['export', path, '--as', 'chat'], { cwd: dirname(path) });
    const { messages } = JSON.parse(out) as { messages: readonly Sent[] };
    expect(messages.map(({ content }) => content.slice(0, 20))).toEqual([
      'List the files',
      'Third again',
      'Another language mod',
      'Fourth',
      'After compaction.',
    ]);
  });
});
