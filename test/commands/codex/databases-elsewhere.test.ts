import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { FIXTURES } from '../../session/agents/codex/corpus.ts';
import { makeTempDir } from '../../temp-dir.ts';

const ID = '01a1fffd-5184-7b42-a112-6bc9ed3ff874';
const NAME = 'Read a';

let home = '';
let elsewhere = '';

const run = (...argv: readonly string[]) =>
  runTest(argv, { cwd: home, home, env: { CODEX_SQLITE_HOME: elsewhere } });

beforeEach(async () => {
  home = await makeTempDir();
  elsewhere = join(home, 'elsewhere');
  const codex = join(home, '.codex');
  await cp(join(FIXTURES, 'home'), codex, { recursive: true });
  // It has the name, too.
  await rm(join(codex, 'session_index.jsonl'));
  await mkdir(elsewhere);
  const databases = (await readdir(codex)).filter((name) => name.endsWith('.sqlite'));
  for (const name of databases) await rename(join(codex, name), join(elsewhere, name));
});

describe('a name in a database that is not beside its sessions', () => {
  it.each([
    ['list', []],
    ['list', [ID, '--info']],
    ['list', ['--project', join('/home/u2/src/api'), ID, '--info']],
    ['export', [ID, '--as', 'json']],
  ])('is what %s %j reads', async (command, args) => {
    const { out } = await run(command, ...args, ...(command === 'list' ? ['--json'] : []));
    expect(out).toMatch(new RegExp(`"name": ?"${NAME}"`));
  });

  it('is in the files of an export', async () => {
    await run('export', ID, '--as', 'md', '--out', 'out');
    const names = await readdir(join(home, 'out'));
    const file = names.find((name) => name.endsWith('.md')) ?? '';
    expect(await readFile(join(home, 'out', file), 'utf8')).toContain(NAME);
  });

  it.each([
    ['list', []],
    ['list', [ID, '--info']],
    ['export', [ID]],
  ])('is missed aloud by %s %j where the database cannot be read', async (command, args) => {
    await writeFile(join(elsewhere, 'state_5.sqlite'), 'not a database, but long enough for one');
    const { exitCode, err } = await run(command, ...args);
    expect([exitCode, err]).toEqual([
      0,
      expect.stringMatching(/state_5\.sqlite: .*; continued without it/),
    ]);
  });
});
