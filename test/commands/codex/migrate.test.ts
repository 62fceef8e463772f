import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readContext } from '../../../src/session/read/read-context.ts';
import { runTest } from '../../memory-terminal.ts';
import {
  FIXTURES,
  getRecorded,
  placeIn,
  placeRecorded,
} from '../../session/agents/codex/corpus.ts';
import { snapshot } from '../../store/archive/archive-fixture.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';
import type { MigrationResult } from '../../../src/session/migrate/types.ts';
import { withoutSqlite } from '../../without-sqlite.ts';

async function migrate(home: string, ...argv: readonly string[]) {
  const words = ['migrate', '--apply', '--grace', '0s', '--json', ...argv];
  const run = await runTest(words, { home, cwd: home });
  const { results } = JSON.parse(run.out) as { readonly results: readonly MigrationResult[] };
  return { ...run, result: results[0] };
}

const TOLD = JSON.stringify({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text: '<environment_context>\n  <cwd>/home/u2/told</cwd>' }],
});

describe('migrate', () => {
  it.each([
    ['linear-tools', 'relocate', ['--cwd', '/home/u2=/home/u3']],
    ['legacy-linear', 'relocate', ['--cwd', '/home/u2=/home/u3']],
    ['era-0.20', 'migrate', ['--assume-cwd', '/home/u2/there']],
  ])(
    'changes a thread that is closed where Codex keeps locks: %s',
    async (name, action, options) => {
      const home = await makeTempDir();
      const path = await placeIn(home, getRecorded(name));
      mkdirSync(join(home, 'thread-writer-locks'));
      const { result, exitCode } = await migrate(home, path, ...options);
      expect({ result, exitCode }).toMatchObject({ result: { action }, exitCode: 0 });
      const again = await migrate(home, path, ...options);
      expect([undefined, 'unchanged']).toContain(again.result?.action);
    },
  );

  it('gives a thread before 0.40 envelopes, and asks where it worked', async () => {
    const path = await placeRecorded(getRecorded('era-0.20'));
    const old = readFileSync(path, 'utf8');
    const home = dirname(path);
    const refused = await migrate(home, path);
    expect(refused.exitCode).toBe(3);
    expect(refused.result?.reasons.join()).toContain('pass --assume-cwd <dir>');
    expect(readFileSync(path, 'utf8')).toBe(old);
    const { messages } = await readContext(path);
    const { result } = await migrate(home, path, '--assume-cwd', '/home/u2/there');
    expect(result).toMatchObject({ action: 'migrate', fromVersion: 0, toVersion: 1 });
    expect((await readContext(path)).messages).toEqual(messages);
    expect(readFileSync(path, 'utf8')).toContain('"cwd":"/home/u2/there"');
    const again = await migrate(home, path);
    expect(again.result).toMatchObject({ action: 'unchanged' });
  });

  it('takes apart records of old lines on one line, and reports a line that it cannot read', async () => {
    const path = await placeRecorded(getRecorded('era-0.20'));
    const [header = '', state = '', prompt = '', ...rest] = readFileSync(path, 'utf8').split('\n');
    const { messages } = await readContext(path);
    const torn = prompt.slice(0, -9);
    const text = [header, state + state, state + prompt, torn, ...rest].join('\n');
    writeFileSync(path, text);
    const { result } = await migrate(dirname(path), path, '--assume-cwd', '/home/u2/there');
    expect(result?.problems).toMatchObject([{ line: 4, code: 'line-malformed' }]);
    expect(readFileSync(path, 'utf8').split('\n')).toContain(torn);
    expect((await readContext(path)).messages).toEqual(messages);
  });

  it('leaves a byte order mark before the first line, where a repair finds it', async () => {
    const plain = await placeRecorded(getRecorded('era-0.20'));
    const marked = await placeRecorded(getRecorded('era-0.20'));
    writeFileSync(marked, `\uFEFF${readFileSync(marked, 'utf8')}`);
    for (const path of [plain, marked]) {
      await migrate(dirname(path), path, '--assume-cwd', '/home/u2/there');
    }
    expect(readFileSync(marked, 'utf8')).toBe(`\uFEFF${readFileSync(plain, 'utf8')}`);
  });

  it('takes the directory that the model was told', async () => {
    const path = await placeRecorded(getRecorded('era-0.20'));
    const [header = '', ...rest] = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, [header, TOLD, ...rest].join('\n'));
    const { result } = await migrate(dirname(path), path, '--assume-cwd', '/elsewhere');
    expect(result).toMatchObject({ action: 'migrate' });
    const [meta = ''] = readFileSync(path, 'utf8').split('\n');
    expect(JSON.parse(meta)).toMatchObject({ payload: { cwd: '/home/u2/told' } });
  });

  it('moves a thread with its project where Codex looks, and nothing that was said', async () => {
    const path = await placeRecorded(getRecorded('linear-tools'));
    const old = readFileSync(path, 'utf8');
    const { result } = await migrate(dirname(path), path, '--cwd', '/home/u2=/srv/u3');
    expect(result).toMatchObject({ action: 'relocate' });
    const moved = readFileSync(path, 'utf8');
    const changed = moved.split('\n').filter((line, at) => line !== old.split('\n')[at]);
    const types = changed.map((line) => (JSON.parse(line) as { readonly type: string }).type);
    expect(new Set(types)).toEqual(new Set(['session_meta', 'turn_context', 'event_msg']));
    expect(moved.replaceAll('"/srv/u3/', '"/home/u2/')).toBe(old);
    expect(moved).toContain('<cwd>/home/u2/demo-project</cwd>');
  });

  it('leaves a file as it is that a fork goes on from, or whose databases are elsewhere', async () => {
    const home = await makeTempDir();
    const recorded = getRecorded('fork-child');
    const child = await placeIn(home, recorded);
    const parent = join(home, recorded.also[0]?.place ?? '');
    const old = readFileSync(parent);
    const { result } = await migrate(home, parent, '--cwd', '/home/u2=/srv/u3');
    expect(result?.reasons.join()).toContain('continues from a byte of it');
    expect(readFileSync(parent).equals(old)).toBe(true);
    await writeFiles(home, { 'sqlite/state_5.sqlite': '' });
    const elsewhere = await migrate(home, child, '--cwd', '/home/u2=/srv/u3');
    expect(elsewhere.result?.reasons.join()).toContain('are not in its home');
  });

  it('moves a thread with its rows, or nothing at all where this Node cannot write these', async () => {
    const world = await makeTempDir();
    cpSync(join(FIXTURES, 'home'), join(world, '.codex'), { recursive: true });
    const read = () => snapshot(join(world, '.codex', 'sessions'));
    const old = await read();
    const argv = ['migrate', '--cwd', '/home/u2=/srv/u3', '--grace', '0s'];
    const preview = () => runTest(argv, { home: world, cwd: world });
    const move = () => runTest([...argv, '--apply'], { home: world, cwd: world });
    for (const run of [preview, move]) {
      const { exitCode, err } = await withoutSqlite(run);
      expect(exitCode).toBe(2);
      expect(err).toContain('cannot write to the databases of the agent');
    }
    expect(await read()).toEqual(old);
    const { err: rest } = await move();
    expect(rest).not.toContain('cannot write to the databases');
    expect(await read()).not.toEqual(old);
  });
});
