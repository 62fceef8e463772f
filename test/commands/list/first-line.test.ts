import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';

const FIXTURES = resolve(import.meta.dirname, '../../fixtures');

const SESSIONS = {
  pi: () => toJsonl(sampleSession()),
  'claude-code': () => readFile(join(FIXTURES, 'claude-code/made-branch.jsonl'), 'utf8'),
  codex: () => readFile(join(FIXTURES, 'codex/made-minimal-paginated.jsonl'), 'utf8'),
  neovate: () => readFile(join(FIXTURES, 'neovate/model-switch.jsonl'), 'utf8'),
} as const;

const LINES = ['[]', '["lost"]', '[2026-03-02 09:30] a note', '[{"type":"text","te', ' [1,'];

async function listOne(text: string): Promise<Record<string, unknown> | undefined> {
  const dir = await makeTempDir();
  await writeFiles(dir, { 's.jsonl': text });
  const { out } = await runTest(['list', 's.jsonl', '--json'], { cwd: dir, home: dir });
  const { results } = JSON.parse(out) as { results: readonly Record<string, unknown>[] };
  return results[0];
}

describe.each(Object.entries(SESSIONS))('a session of %s', (agent, read) => {
  it.each(LINES)('is listed behind %j as behind any line that is lost', async (line) => {
    const text = await read();
    const { messageCount, firstMessage, entryCount } = (await listOne(`lost\n${text}`)) ?? {};
    expect(messageCount).toBeGreaterThan(0);
    const facts = { agent, messageCount, firstMessage, entryCount };
    expect(await listOne(`${line}\n${text}`)).toMatchObject(facts);
  });
});

describe('a file that begins with an array', () => {
  it('is a session of its elements, whatever stands behind it', async () => {
    const array = JSON.stringify(sampleSession());
    expect(await listOne(`${array}\nx`)).toMatchObject({ formatVersion: 0, messageCount: 2 });
    expect(await listOne(array)).toMatchObject({ formatVersion: 0, messageCount: 2 });
  });

  it('is empty only if nothing stands behind an array without elements', async () => {
    const empty = { problem: { code: 'file-empty' } };
    const foreign = { problem: { code: 'not-a-session' } };
    expect(await listOne(' [\n]\n')).toMatchObject(empty);
    expect(await listOne('[]\nx\n')).toMatchObject(foreign);
    expect(await listOne('["lost"]\n')).toMatchObject(foreign);
  });
});
