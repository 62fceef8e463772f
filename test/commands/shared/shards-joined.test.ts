import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { writeFiles } from '../../temp-dir.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));
const SHARDS = ['1/3', '2/3', '3/3'];

let store: string;

/** Forks, sub-agents, sessions of several files, and an array beside what was made of it. */
beforeAll(async () => {
  store = await mkdtemp(join(tmpdir(), 'coppice-shards-'));
  for (const one of ['recorded', 'claude-code/home/.claude/projects', 'codex/home']) {
    await cp(join(FIXTURES, one), join(store, one.split('/')[0] ?? one), { recursive: true });
  }
  const array = sampleSession({ id: 'array' });
  await writeFiles(store, { 'old/a.json': JSON.stringify(array), 'old/a.jsonl': array });
});

afterAll(() => rm(store, { recursive: true, force: true }));

async function listLines(...args: string[]): Promise<readonly string[]> {
  const { out } = await runTest([...args, '--store', store, '--format', 'ndjson'], { cwd: store });
  return out.split('\n').filter((line) => line !== '');
}

describe('shards, joined, are one plain run', () => {
  it.each([
    ['list', '--no-cache'],
    ['list', '--usage'],
    ['list', '--last', '7', '--no-cache'],
    ['list', '--agent', 'codex', '--no-cache'],
    ['validate'],
    ['validate', '--newer-than', '2025-11-01'],
    ['migrate'],
    ['prune', '--keep-last', '2', '--grace', '0s'],
    ['prune', '--older-than', '2026-06-01', '--keep-monthly', '1', '--group-by', 'agent'],
    ['export', '--as', 'md', '--out', 'out', '--dry-run'],
  ])('of %j', async (...args) => {
    const parts = await Promise.all(SHARDS.map((shard) => listLines(...args, '--shard', shard)));
    const plain = await listLines(...args);
    expect(plain.length).toBeGreaterThan(5);
    expect(parts.every((part) => part.length < plain.length)).toBe(true);
    expect(parts.flat().toSorted()).toEqual(plain.toSorted());
  });
});
