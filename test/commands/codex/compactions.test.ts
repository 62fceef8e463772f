import { readdir, readFile } from 'node:fs/promises';
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
