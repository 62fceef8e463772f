import { cp, mkdir, readFile, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type JsonObject, toTime } from '../../../src/session/jsonl/edit/json.ts';
import { buildTree, getPath } from '../../../src/session/model/tree/tree.ts';
import { readSession } from '../../../src/session/read/read-session.ts';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const CORPUS = join(import.meta.dirname, '../../fixtures/claude-code');
const ID = 'aaaaaaaa-0000-4000-8000-000000000001';

let home: string;
let file: string;

beforeEach(async () => {
  home = await makeTempDir();
  file = join(home, `.claude/projects/-home-u-demo/${ID}.jsonl`);
  await mkdir(dirname(file), { recursive: true });
});

async function compact(name: string | undefined, ...args: readonly string[]) {
  if (name !== undefined) await cp(join(CORPUS, `${name}.jsonl`), file);
  await utimes(file, 1.7e9, 1.7e9);
  const before = await readFile(file, 'utf8');
  const now = (): number => Date.parse('2127-01-01T00:00:00Z');
  const { out, err } = await runTest(['compact', ID, ...args, '--json'], { home, cwd: home, now });
  if (out === '') throw new Error(err);
  const { results } = JSON.parse(out) as { results: readonly Readonly<Record<string, unknown>>[] };
  const after = await readFile(file, 'utf8');
  expect(after.startsWith(before)).toBe(true);
  const lines = after
    .slice(before.length)
    .split('\n')
    .filter((line) => line !== '');
  return { result: results[0], added: lines.map((line) => JSON.parse(line) as JsonObject) };
}

/** The ids of the path that the session goes on from. */
async function readPath(): Promise<readonly (string | undefined)[]> {
  const { session } = await readSession(file);
  const tree = buildTree(session.entries, session);
  return getPath(tree, tree.leaf).map(({ id }) => id);
}

describe('compact of a Claude Code session', () => {
  it('appends a boundary and a summary, and nothing else', async () => {
    const { result, added } = await compact(
      'recorded-tui-rename-rewind',
      '--force',
      '--keep-recent-tokens',
      '1',
      '--apply',
    );
    expect(result).toMatchObject({ action: 'compact', compaction: { firstKeptEntryId: null } });
    expect(added).toMatchObject([
      {
        type: 'system',
        subtype: 'compact_boundary',
        parentUuid: null,
        compactMetadata: { trigger: 'manual' },
        sessionId: ID,
        version: '2.1.330',
      },
      {
        type: 'user',
        isCompactSummary: true,
        message: {
          content: expect.stringMatching(
            /^This session is being continued[^]*## Goal[^]*demo\/aaaa/,
          ) as string,
        },
      },
    ]);
    expect(await readPath()).toEqual(added.map(({ uuid }) => uuid));
    // Releases up to 2.1.90 go on at the newest line, and at a boundary of the same time with nothing.
    const [boundary = {}, summary = {}] = added;
    expect(toTime(summary['timestamp'])).toBeGreaterThan(toTime(boundary['timestamp']));
    expect((await compact(undefined, '--force', '--apply')).result).toMatchObject({
      action: 'unchanged',
    });
  });

  it('keeps whole turns behind the summary, in their order', async () => {
    await cp(join(CORPUS, 'recorded-tui-rename-rewind.jsonl'), file);
    const before = await readPath();
    const { result, added } = await compact(
      undefined,
      '--force',
      '--keep-recent-tokens',
      '40',
      '--apply',
    );
    const { firstKeptEntryId } = (result?.['compaction'] ?? {}) as { firstKeptEntryId: string };
    const kept = before.slice(before.indexOf(firstKeptEntryId));
    expect(kept.length).toBeLessThan(before.length);
    expect(await readPath()).toEqual([...added.map(({ uuid }) => uuid), ...kept]);
  });

  it.each([
    [180_000, 'compact'],
    [167_001, 'compact'],
    [167_000, 'unchanged'],
  ])('is due by what the last answer was sent: %d tokens', async (tokens, action) => {
    const said = (uuid: string, parentUuid: string | null, type: string, message: JsonObject) =>
      JSON.stringify({ type, uuid, parentUuid, sessionId: ID, cwd: '/w', message });
    const usage = { input_tokens: 1, cache_read_input_tokens: tokens - 1, output_tokens: 9 };
    await writeFiles(dirname(file), {
      [`${ID}.jsonl`]: [
        said('u1', null, 'user', { role: 'user', content: 'Do this. '.repeat(20_000) }),
        said('a1', 'u1', 'assistant', {
          id: 'm1',
          role: 'assistant',
          model: 'claude-opus-5-5',
          content: [{ type: 'text', text: 'Done.' }],
          usage,
        }),
      ]
        .map((line) => `${line}\n`)
        .join(''),
    });
    expect((await compact(undefined)).result).toMatchObject({ action });
    await writeFiles(home, { '.claude/settings.json': '{"autoCompactEnabled":false}' });
    expect((await compact(undefined)).result).toMatchObject({ action: 'unchanged' });
  });

  it('is not due by what an answer was sent before the last compaction', async () => {
    const { result } = await compact('recorded-auto-compact', '--context-window', '100000');
    expect(result).toMatchObject({ action: 'unchanged' });
  });
});
