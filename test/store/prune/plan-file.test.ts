import { readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Plan, readPlan, writePlan } from '../../../src/store/prune/plan-file.ts';
import { makeTempDir } from '../../temp-dir.ts';

let path: string;

beforeEach(async () => {
  path = join(await makeTempDir(), 'plan.ndjson');
});

const session = (name: string) => ({
  path: `/s/${name}.jsonl`,
  title: name,
  cwd: '/w',
  lastActive: '2026-03-02T09:30:02.000Z',
  bytes: 7,
  reasons: ['empty'],
  stamp: 'abc',
});

const plan: Plan = {
  terms: {
    createdAt: '2127-01-15T12:00:00.000Z',
    stores: ['/s', '/t'],
    emptyStores: ['/t'],
    ownStores: true,
    rules: {
      grace: '1d',
      missingCwd: true,
      includeParents: false,
      flatten: true,
      includeDamaged: false,
      includePinned: false,
      allowEmpty: true,
    },
  },
  sessions: [session('a'), session('b'), { ...session('c'), action: 'flatten' }],
};

async function edit(change: (lines: string[]) => string[]): Promise<void> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  await writeFile(path, change(lines).join('\n'));
}

describe('a plan', () => {
  it('is read as it was written, and is private', async () => {
    await writePlan(path, plan);
    expect(await readPlan(path)).toEqual(plan);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('loses the lines that are taken out or begin with #', async () => {
    await writePlan(path, plan);
    await edit(([head = '', a = '', , c = '']) => ['# reviewed by me', head, `  # ${a}`, '', c]);
    const { sessions } = await readPlan(path);
    expect(sessions.map(({ title }) => title)).toEqual(['c']);
  });

  it('takes nothing for a time or a size that is none', async () => {
    await writePlan(path, plan);
    const wrong = { ...session('a'), lastActive: '+275760-09-13T00:00:00.001Z', bytes: -1 };
    await edit(([head = '']) => [
      head,
      JSON.stringify(wrong),
      JSON.stringify(wrong).replace('-1', '1e400'),
    ]);
    const { sessions } = await readPlan(path);
    expect(sessions.map(({ bytes, lastActive }) => ({ bytes, lastActive }))).toEqual([
      { bytes: 0, lastActive: '' },
      { bytes: 0, lastActive: '' },
    ]);
  });

  it('is not read when it is larger than any', async () => {
    await writeFile(path, '');
    await truncate(path, 600 * 1024 * 1024);
    await expect(readPlan(path)).rejects.toThrow('is larger than 268435456 bytes');
  });

  it('replaces an older plan, and no other file', async () => {
    await writePlan(path, plan);
    await writePlan(path, { ...plan, sessions: [] });
    expect((await readPlan(path)).sessions).toEqual([]);
    await writeFile(path, 'precious');
    await expect(writePlan(path, plan)).rejects.toThrow(
      'already exists, and is not a plan; name another file',
    );
    expect(await readFile(path, 'utf8')).toBe('precious');
  });

  it.each<[string, (lines: string[]) => string[], string]>([
    ['its first line is gone', (lines) => lines.slice(1), ':1: is not the first line'],
    [
      'a flag is a text',
      (lines) => lines.map((line) => line.replace('"missingCwd":true', '"missingCwd":"true"')),
      ':1: is not the first line',
    ],
    ['a line is torn', (lines) => [...lines.slice(0, 2), '{"path":'], ':3: is not valid JSON'],
    ['a line is not a session', (lines) => [...lines.slice(0, 1), '{}'], ':2: is not a session'],
    [
      'a line is not an object',
      (lines) => [...lines.slice(0, 1), '[]'],
      ':2: holds no JSON object',
    ],
    ['all is gone', () => [], 'is empty'],
  ])('is refused whole when %s', async (_what, change, message) => {
    await writePlan(path, plan);
    await edit(change);
    await expect(readPlan(path)).rejects.toThrow(message);
  });
});
