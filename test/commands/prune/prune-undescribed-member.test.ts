import { cp, readdir, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PruneResult } from '../../../src/report/prune/columns.ts';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { FIXTURES } from '../../session/agents/codex/corpus.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

let home: string;

const run = (...args: readonly string[]) => runTest(args, { cwd: home, home, env: {} });

async function backUp(): Promise<void> {
  await run('export', '--as', 'archive', '--no-redact', '--out', 'ar', '--quiet');
}

/** Cuts the member of a session short. */
async function cut(id: string): Promise<void> {
  const member = (await readdir(join(home, 'ar'))).find((name) => name.includes(id)) ?? '';
  await truncate(join(home, 'ar', member), 30);
}

/** Does so, and removes the index, which would describe it. */
async function damage(id: string): Promise<void> {
  await cut(id);
  await rm(join(home, 'ar', 'index.ndjson'));
}

/** Returns the actions and reasons for the states of each session, by its id. */
async function ask(...rules: readonly string[]) {
  const { out, exitCode } = await run('prune', '--in-archive', 'ar', ...rules, '--json');
  const { results } = JSON.parse(out) as { results: readonly PruneResult[] };
  const found: Record<string, string[]> = {};
  for (const { id, action, reasons } of results.filter((one) => one.action)) {
    (found[id] ??= []).push(`${action}: ${reasons.join().replace(/^.*tar\.gz /, '')}`);
  }
  return { found, exitCode };
}

async function decide(...rules: readonly string[]): Promise<Record<string, readonly string[]>> {
  const { found, exitCode } = await ask(...rules);
  expect(exitCode).toBe(3);
  return found;
}

const FILES = 'keep: cannot be read, and may refer to its files';

beforeEach(async () => {
  home = await makeTempDir();
});

describe('a member that cannot be described', () => {
  const store = (): string => join(home, '.pi/agent/sessions/--w--');

  beforeEach(async () => {
    const start = (month: number) => `2026-0${month}-01T00:00:00.000Z`;
    await writeFiles(store(), {
      'old.jsonl': sampleSession({ id: 'old', start: start(1), text: 'old' }),
      'old/image.png': 'x',
      'plain.jsonl': sampleSession({ id: 'plain', start: start(2), text: 'plain' }),
      'names.jsonl': sampleSession({ id: 'names', start: start(3), text: 'see old/image.png' }),
      'last.jsonl': sampleSession({ id: 'last', start: start(4), text: 'last' }),
    });
    await backUp();
  });

  it('keeps the sessions whose files it may name', async () => {
    await damage('names');
    expect(await decide('--keep-last', '1')).toEqual({
      old: [FILES],
      plain: ['remove: no rule keeps it'],
      last: ['keep: last 1'],
    });
  });

  it('keeps the states that alone have such files', async () => {
    await rm(join(store(), 'old'), { recursive: true });
    const later = sampleSession({ id: 'old', start: '2026-05-01T00:00:00.000Z', text: 'old' });
    await writeFiles(store(), { 'old.jsonl': later });
    await backUp();
    await damage('names');
    const { old } = await decide('--keep-states', '1');
    expect(old?.toSorted()).toEqual([FILES, 'keep: last state']);
  });
});

it('keeps every thread of Codex that a member may continue from which cannot be described', async () => {
  await cp(join(FIXTURES, 'home'), join(home, '.codex'), { recursive: true });
  await backUp();
  await damage('01a1fffd-5af9-75b0-aac2-5de81901cecc');
  const found = Object.values(await decide('--keep-last', '1')).flat();
  expect(found.length).toBeGreaterThan(3);
  expect(new Set(found)).toEqual(new Set(['keep: cannot be read, and may continue from it']));
});

it('keeps them also if the index describes the member, and a rule keeps its session', async () => {
  await cp(join(FIXTURES, 'home'), join(home, '.codex'), { recursive: true });
  await backUp();
  const id = '01a1fffd-5af9-75b0-aac2-5de81901cecc';
  await cut(id);
  const { [id]: own, ...others } = (await ask('--keep-id', id)).found;
  expect(own).toEqual(['keep: is damaged, and does not count']);
  const found = Object.values(others).flat();
  expect(found.length).toBeGreaterThan(3);
  expect(new Set(found)).toEqual(new Set(['keep: a kept fork continues from it']));
});
