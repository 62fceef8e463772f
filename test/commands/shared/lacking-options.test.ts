import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));
const SAMPLES = fileURLToPath(new URL('../../../samples/sessions', import.meta.url));
const PI =
  '--home-dev-src-mono--/2026-03-11T10-02-45-331Z_019cdc7f-1c93-7b65-9d20-f3a1845e6c0b.jsonl';
const CLAUDE = '-home-dev-src-web/5d0c8e21-7b4f-4a36-9c1e-2f8a6b7d9e04.jsonl';

let dir: string;

const run = async (...args: readonly string[]) => runTest(args, { cwd: dir, home: dir });

interface Result {
  readonly path: string;
  readonly action?: string;
}

async function listActions(...args: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const { out } = await run(...args, '--json');
  const { results } = JSON.parse(out) as { results: readonly Result[] };
  return Object.fromEntries(
    results.map(({ path, action }) => [path.slice(dir.length + 3), action ?? 'problem']),
  );
}

beforeEach(async () => {
  dir = await makeTempDir();
  await cp(SAMPLES, join(dir, 's'), { recursive: true });
  await mkdir(join(dir, 'n'));
  await cp(join(FIXTURES, 'neovate/linear-tools.jsonl'), join(dir, 'n/linear.jsonl'));
});

describe('an option that no agent of the run has', () => {
  it.each([
    ['export', `s/${PI}`, '--harness'],
    ['export', 'n', '--out', 'x', '--harness'],
    ['compact', 'n', '--superseded-state', '--images', 'drop'],
    ['compact', `s/${PI}`, '--copies', '--tool-output', '20kB'],
    ['prune', '--store', 's', '--agent', 'pi', '--older-than', '30d', '--flatten'],
    ['prune', '--store', 's', '--older-than', '30d', '--flatten'],
    ['prune', '--store', 's', '--agent', 'pi', '--older-than', '30d', '--history'],
  ])('is an error: %s %s %s %s %s %s %s', async (...args) => {
    const { exitCode, out, err } = await run(...args);
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toMatch(/^coppice: .*--(?:harness|superseded-state|copies|flatten|history)\b/);
  });

  it.each([
    ['compact', '--superseded-state', '--agent', 'neovate'],
    ['compact', '--compress', '--agent', 'pi'],
    ['export', '--harness', '--out', 'x', '--agent', 'neovate'],
    ['prune', '--older-than', '30d', '--flatten', '--agent', 'claude-code'],
  ])('is an error without a session of that agent, too: %s %s %s %s %s', async (...args) => {
    await mkdir(join(dir, 'empty'));
    const { exitCode, out } = await run(...args, '--store', 'empty');
    expect([exitCode, out]).toEqual([2, '']);
  });

  it.each([
    ['list', '-0'],
    ['list', '-0', '--json'],
    ['validate', '--null', 's'],
    ['prune', '-0', '--older-than', '30d'],
    ['fork', `s/${PI}`, '-0', '--json', '--dry-run'],
  ])('is an error where there are no paths to end with NUL: %s %s %s %s %s', async (...args) => {
    const { exitCode, out, err } = await run(...args);
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toContain('--null: ');
  });

  it('is none where no session was found', async () => {
    await mkdir(join(dir, 'empty'));
    const { exitCode } = await run('prune', '--store', 'empty', '--older-than', '30d', '--flatten');
    expect(exitCode).toBe(0);
  });
});

describe('an option that some agents of the run lack', () => {
  it('fails the sessions of the others that were named', async () => {
    const targets = [`s/${PI}`, `s/${CLAUDE}`];
    const reducers = ['--copies', '--tool-output', '20kB'];
    const compacted = await run('compact', ...targets, ...reducers);
    expect(compacted.exitCode).toBe(3);
    expect(compacted.err).toContain('sessions of pi hold no copies');
    expect(await listActions('compact', ...targets, ...reducers)).toEqual({
      [PI]: 'fail',
      [CLAUDE]: 'unchanged',
    });
    const exported = await run('export', ...targets, '--harness', '--out', 'x');
    expect(exported.exitCode).toBe(3);
    expect(exported.err).toContain('sessions of pi do not mark text');
    expect(await listActions('export', ...targets, '--harness', '--out', 'y')).toEqual({
      [PI]: 'problem',
      [CLAUDE]: 'export',
    });
  });

  it('skips the sessions of the others that a selection holds', async () => {
    const actions = await listActions('compact', 's', '--copies', '--tool-output', '20kB');
    expect([actions[PI], actions[CLAUDE]]).toEqual(['skip', 'unchanged']);
    expect((await run('compact', 's', '--copies', '--tool-output', '20kB')).exitCode).toBe(0);
  });

  it('exports what is selected of agents that mark no text of theirs as it is', async () => {
    const { exitCode, out } = await run('export', 's', '--harness', '--out', 'x');
    expect([exitCode, out]).toEqual([0, expect.stringContaining('Exported 7 of 7 sessions')]);
  });
});

it('a configuration asks for the text of agents only where they mark it', async () => {
  await writeFiles(dir, { 'coppice.config.json': '{"export":{"harness":true}}' });
  const { exitCode, out } = await run('export', `s/${PI}`);
  expect([exitCode, out]).toEqual([0, expect.stringContaining('webpack')]);
});
