import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { FIXTURES } from '../../session/agents/codex/corpus.ts';
import { makeTempDir } from '../../temp-dir.ts';
import { toZstd } from '../../zstd-frames.ts';

const DAY = 'sessions/2026/11/21';

let home: string;

beforeEach(async () => {
  home = await makeTempDir();
  await cp(join(FIXTURES, 'home'), home, { recursive: true });
});

interface Result {
  readonly path: string;
  readonly action: string;
}

/** The paths of the sessions that a run exported. */
async function listExported(...args: readonly string[]): Promise<readonly string[]> {
  const argv = ['export', '--agent', 'codex', '--out', join(home, 'out'), '--json', ...args];
  const { exitCode, out, err } = await runTest(argv, {
    cwd: home,
    home,
    env: { CODEX_HOME: home },
  });
  if (exitCode !== 0 && exitCode !== 3) throw new Error(err);
  const { results } = JSON.parse(out) as { readonly results: readonly Result[] };
  return results.filter(({ action }) => action === 'export').map(({ path }) => path);
}

async function find(part: string): Promise<string> {
  const names = await readdir(join(home, DAY));
  return join(home, DAY, names.find((name) => name.includes(part)) ?? '');
}

async function rename(thread: string): Promise<void> {
  const { id = '' } = /-(?<id>[0-9a-f]{8}-[0-9a-f-]{27})\.jsonl/.exec(thread)?.groups ?? {};
  const names = join(home, 'session_index.jsonl');
  const line = { id, thread_name: 'Another', updated_at: '2026-12-01T00:00:00Z' };
  await writeFile(names, `${await readFile(names, 'utf8')}${JSON.stringify(line)}\n`);
}

describe('the export of a Codex thread is made again', () => {
  it.each(['md', 'html', 'json'])('as %s when only its name has changed', async (as) => {
    expect(await listExported('--as', as)).not.toEqual([]);
    expect(await listExported('--as', as)).toEqual([]);
    const thread = await find('-5433-');
    await rename(thread);
    expect(await listExported('--as', as)).toEqual([thread]);
    expect(await listExported('--as', as)).toEqual([]);
  });

  it('as tables, with the others of its month, when only its name has changed', async () => {
    expect(await listExported('--as', 'parquet')).not.toEqual([]);
    expect(await listExported('--as', 'parquet')).toEqual([]);
    const thread = await find('-5433-');
    await rename(thread);
    expect(await listExported('--as', 'parquet')).toContain(thread);
    expect(await listExported('--as', 'parquet')).toEqual([]);
  });

  it.each([['md'], ['html'], ['md', '--redact']])(
    'as %s %s when only its sub-agent has changed',
    async (...as) => {
      await listExported('--as', ...as);
      const child = await find('-54ad-');
      const lines = (await readFile(child, 'utf8')).trimEnd().split('\n');
      await writeFile(child, `${[...lines, lines.at(-1)].join('\n')}\n`);
      expect(await listExported('--as', ...as)).toEqual([await find('-546c-')]);
      expect(await listExported('--as', ...as)).toEqual([]);
    },
  );
});

it('the export of a Codex fork is made again when the thread that it continues has changed', async () => {
  await listExported('--as', 'text');
  const base = await find('35-01a1fffd-592e-');
  const lines = (await readFile(base, 'utf8')).split('\n');
  await writeFile(base, `${lines.slice(0, 12).join('\n')}\n`);
  const fork = await find('36-01a1fffd-592e-');
  expect(await listExported('--as', 'text')).toEqual([fork]);
});

it('the export of a Codex thread has the same name when its file is compressed', async () => {
  await listExported('--as', 'md');
  const names = async () => (await readdir(join(home, 'out'))).toSorted();
  const before = await names();
  const thread = await find('-5433-');
  await writeFile(`${thread}.zst`, toZstd(await readFile(thread)));
  await rm(thread);
  expect(await listExported('--as', 'md')).toEqual([`${thread}.zst`]);
  expect(await names()).toEqual(before);
});

it('the record of an export holds no path and no id of the three other threads that were read', async () => {
  await listExported('--as', 'md');
  const record = await readFile(join(home, 'out/.coppice-export.json'), 'utf8');
  expect(record.match(/"others":\["[0-9a-f]{32} [0-9a-f]{32}"\]/g)).toHaveLength(3);
  expect(record).not.toMatch(/54ad-|sessions\//);
});
