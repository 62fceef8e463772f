import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readContext } from '../../../src/session/read/read-context.ts';
import { runTest } from '../../memory-terminal.ts';
import {
  BELOW,
  EARLY,
  LATE,
  makeFamily,
  PARENT,
  toPlace,
} from '../../session/agents/codex/made-family.ts';
import { makeTempDir } from '../../temp-dir.ts';
import type { PruneResult } from '../../../src/report/prune/columns.ts';

interface Planned {
  readonly plan: string;
  readonly early: string;
}

const LONG_AGO = 1_700_000_000;

async function prune(home: string, ...argv: readonly string[]) {
  const options = { cwd: home, home, env: { CODEX_HOME: home } };
  const args = ['prune', ...argv, '--grace', '0s', '--include-pinned', '--json'];
  const { out, err } = await runTest(args, options);
  if (out === '') throw new Error(err);
  const { results } = JSON.parse(out) as { readonly results: readonly PruneResult[] };
  return new Map(results.map((one) => [one.path, one]));
}

async function setUp() {
  const home = await makeTempDir();
  const family = makeFamily(home);
  const [parent = '', early = '', late = '', below = ''] = [PARENT, EARLY, LATE, BELOW].map((id) =>
    family.get(id),
  );
  return { home, parent, early, late, below };
}

const readSent = (paths: readonly string[]) =>
  Promise.all(paths.map(async (path) => (await readContext(path)).messages));
const readOwn = (path: string) => readFileSync(path, 'utf8').split('\n').slice(1).join('\n');

describe('prune --flatten', () => {
  it('makes forks self-contained, and removes what they went on from', async () => {
    const { home, parent, early, late, below } = await setUp();
    const forks = [early, late, below];
    const before = await readSent(forks);
    const own = forks.map(readOwn);
    const { mtimeMs } = statSync(late);
    expect((await prune(home, parent, '--larger-than', '1B')).get(parent)).toMatchObject({
      action: 'keep',
      reasons: ['a kept fork continues from it'],
    });
    const plan = await prune(home, parent, '--larger-than', '1B', '--flatten');
    expect(plan.get(parent)).toMatchObject({ action: 'remove' });
    for (const path of forks) expect(plan.get(path)).toMatchObject({ action: 'flatten' });
    expect(await readSent(forks)).toEqual(before);
    expect(forks.map(readOwn)).toEqual(own);
    const words = ['prune', parent, '--larger-than', '1B', '--flatten', '--grace', '0s'];
    const { out } = await runTest([...words, '--include-pinned'], { cwd: home, home });
    expect(out).toMatch(/^flatten .* kB → [\d.]+ kB /m);

    const archive = join(home, 'archive');
    const argv = [parent, '--larger-than', '1B', '--flatten', '--apply', '--archive', archive];
    const text = readFileSync(parent, 'utf8');
    const done = await prune(home, ...argv);
    expect([...done.keys()].toSorted()).toEqual([...plan.keys()].toSorted());
    expect(readdirSync(join(parent, '..'))).toHaveLength(3);
    expect(await readSent(forks)).toEqual(before);
    forks.forEach((path, at) => {
      expect(done.get(path)?.action).toBe('flatten');
      expect(statSync(path).size).toBe(plan.get(path)?.bytesAfter);
      const lines = readFileSync(path, 'utf8');
      expect(lines.endsWith(own[at] ?? '')).toBe(true);
      expect(lines.slice(0, lines.indexOf('\n'))).not.toContain('history_base');
    });
    expect(statSync(late).mtimeMs).toBe(mtimeMs);

    const back = await runTest(['prune', '--restore', PARENT, '--archive', archive, '--json'], {
      cwd: home,
      home,
      env: { CODEX_HOME: home },
    });
    expect(back).toMatchObject({ exitCode: 0, err: '' });
    expect(readFileSync(parent, 'utf8')).toBe(text);
  });

  it('makes only those self-contained that need what is removed', async () => {
    const { home, parent, early, late, below } = await setUp();
    const untouched = [parent, early].map((path) => readFileSync(path, 'utf8'));
    const before = await readSent([below]);
    const done = await prune(home, late, '--larger-than', '1B', '--flatten', '--delete', '--apply');
    expect(done.get(below)?.action).toBe('flatten');
    expect(done.has(early)).toBe(false);
    expect([parent, early].map((path) => readFileSync(path, 'utf8'))).toEqual(untouched);
    expect(await readSent([below])).toEqual(before);
  });

  it('keeps all that a fork needs which cannot be made self-contained', async () => {
    const { home, parent, early, late, below } = await setUp();
    const text = readFileSync(below, 'utf8');
    writeFileSync(below, text.replace(/"end_byte_offset":\d+/, '"end_byte_offset":99999999'));
    const all = [parent, early, late];
    const before = all.map((path) => readFileSync(path, 'utf8'));
    const argv = [parent, late, '--larger-than', '1B', '--flatten', '--delete', '--apply'];
    const done = await prune(home, ...argv);
    for (const path of [parent, late]) {
      expect(done.get(path)?.action).toBe('keep');
      expect(done.get(path)?.reasons.join()).toContain('that file was shortened');
    }
    expect(all.map((path) => readFileSync(path, 'utf8'))).toEqual(before);
  });

  it('keeps a damaged line that forks have of another thread', async () => {
    const { home, parent, early, late, below } = await setUp();
    const all = [parent, early, late, below];
    const text = readFileSync(parent, 'utf8');
    // In the part that each fork has of it, and as long as before.
    const damaged = text.replace(/\n\{"timestamp":/, (start) => start.replace('{', '#'));
    writeFileSync(parent, damaged);
    const before = all.map((path) => readFileSync(path, 'utf8'));
    const argv = ['--larger-than', '1B', '--flatten', '--include-damaged', '--delete', '--apply'];
    const done = await prune(home, parent, ...argv);
    expect(done.get(parent)).toMatchObject({ action: 'keep' });
    expect(done.get(parent)?.reasons.join()).toContain('line 2 of ');
    expect(all.map((path) => readFileSync(path, 'utf8'))).toEqual(before);
    // Behind the part that forks have, damage is nobody else's.
    writeFileSync(parent, `${text}{"cut":\n`);
    const again = await prune(home, parent, ...argv);
    expect(again.get(parent)).toMatchObject({ action: 'remove' });
  });

  it.each([
    { what: 'as they were planned', change: () => undefined },
    {
      what: 'but for one whose line is taken out',
      change: ({ plan }: Planned) => {
        const lines = readFileSync(plan, 'utf8').split('\n');
        writeFileSync(plan, lines.filter((line) => !line.includes(EARLY)).join('\n'));
      },
      reason: 'is not in the plan',
    },
    {
      what: 'but for one that has changed',
      change: ({ early }: Planned) => {
        appendFileSync(early, '\n');
        utimesSync(early, LONG_AGO, LONG_AGO);
      },
      reason: 'changed since it was planned',
    },
  ])('follows a plan of removals: the forks change $what', async ({ change, reason }) => {
    const { home, parent, early, late, below } = await setUp();
    const forks = [early, late, below];
    const plan = join(home, 'plan.ndjson');
    const before = await readSent(forks);
    await prune(home, parent, '--larger-than', '1B', '--flatten', '--plan-out', plan);
    const lines = readFileSync(plan, 'utf8').trim().split('\n').slice(1);
    const actions = lines.map((line) => {
      const { path, action } = JSON.parse(line) as { path: string; action?: string };
      return [path, action] as const;
    });
    expect(new Map(actions)).toEqual(
      new Map([[parent, undefined], ...forks.map((path) => [path, 'flatten'] as const)]),
    );
    change({ plan, early });
    const { out } = await runTest(['prune', '--plan', plan, '--delete', '--apply', '--json'], {
      cwd: home,
      home,
      env: { CODEX_HOME: home },
    });
    const { results } = JSON.parse(out) as { readonly results: readonly PruneResult[] };
    const done = new Map(results.map((one) => [one.path, one]));
    const isKept = reason !== undefined;
    expect(existsSync(parent)).toBe(isKept);
    expect(done.get(parent)?.action).toBe(isKept ? 'keep' : 'remove');
    expect(done.get(parent)?.reasons.join()).toContain(reason ?? 'larger than 1B');
    expect(done.get(below)?.action === 'flatten').toBe(!isKept);
    expect(await readSent(forks)).toEqual(before);
  });

  it('has a plan of its own terms, and is not for archives', async () => {
    const { home } = await setUp();
    for (const other of [
      ['--plan', 'p'],
      ['--in-archive', 'a'],
    ]) {
      const { err } = await runTest(['prune', '--flatten', ...other], { cwd: home, home });
      expect(err).toContain('--flatten');
    }
    expect(toPlace(home, PARENT)).toContain(PARENT);
  });
});
