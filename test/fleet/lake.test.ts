import { execFile } from 'node:child_process';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runArray } from './job-array.ts';

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MACHINES = ['ada', 'grace', 'mary', 'rosalind'];
/** What each machine has, and from where it is copied. */
const STORES: readonly (readonly [from: string, to: string])[] = [
  ['recorded', '.pi/agent/sessions/--x--'],
  ['claude-code/home/.claude/projects', '.claude/projects'],
  ['neovate/home/.neovate', '.neovate'],
  ['codex/home', '.codex'],
];

let dir: string;
let share: string;

function toEnv(home = 'home'): Record<string, string> {
  const { PATH = '', COPPICE_SLURM_CONF: SLURM_CONF = '', TMPDIR = '/tmp' } = process.env;
  const own = { SHARE: share, SCRATCH: join(dir, 'scratch'), HOME: join(dir, home) };
  return {
    PATH: `${join(dir, 'bin')}:${PATH}`,
    SLURM_CONF,
    TMPDIR,
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    ...own,
  };
}

async function query(): Promise<readonly (readonly Record<string, unknown>[])[]> {
  const text = await readFile(join(ROOT, 'docs/fleets/queries.sql'), 'utf8');
  const statements = text.split(';').filter((one) => one.includes('SELECT'));
  const own = statements.map((one) => one.replaceAll("'lake/", `'${share}/lake/`));
  const counted = `SELECT count(*)::INT AS sessions, count(DISTINCT machine)::INT AS machines
    FROM read_parquet('${share}/lake/sessions/*/*/*/*.parquet', hive_partitioning = true)`;
  const { stdout } = await execute(process.execPath, [
    join(ROOT, 'test/duckdb/query.mjs'),
    ...own,
    counted,
  ]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>[]);
}

/** When each file of the lake was written. */
async function readTimes(): Promise<Readonly<Record<string, number>>> {
  const root = join(share, 'lake/machines');
  const names = (await readdir(root, { recursive: true })).filter((name) =>
    name.endsWith('.parquet'),
  );
  const times = names.map(async (name) => [name, (await stat(join(root, name))).mtimeMs] as const);
  return Object.fromEntries(await Promise.all(times));
}

/** Two tasks for four machines, as the page has it. */
async function runLake(): Promise<void> {
  const command = `exec sh ${join(ROOT, 'docs/fleets/lake.sbatch')}`;
  await runArray({ range: '5-6', command, env: toEnv(), dir: join(dir, 'jobs') });
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'coppice-lake-test-'));
  share = join(dir, 'share');
  await mkdir(join(dir, 'bin'));
  const binary = `#!/bin/sh\nexec '${process.execPath}' '${ROOT}bin/coppice.js' "$@"\n`;
  await writeFile(join(dir, 'bin/coppice'), binary);
  await chmod(join(dir, 'bin/coppice'), 0o755);
  for (const [at, machine] of MACHINES.entries()) {
    for (const [from, to] of STORES.slice(0, at + 1)) {
      await cp(join(ROOT, 'test/fixtures', from), join(dir, machine, to), { recursive: true });
    }
    await execute('sh', [join(ROOT, 'docs/fleets/backup.sh')], {
      env: { ...toEnv(machine), MACHINE: machine },
    });
    // What the agent, or the company, then removes is in the lake all the same.
    await rm(join(dir, machine), { recursive: true });
  }
  await runLake();
});
afterAll(() => rm(dir, { recursive: true, force: true }));

describe('the lake of many machines', () => {
  it('answers the queries of the documentation', async () => {
    const [costs, tools, stuck, [counted] = []] = await query();
    expect(counted).toMatchObject({ machines: MACHINES.length });
    expect(Number(counted?.['sessions'])).toBeGreaterThan(90);
    expect(new Set(costs?.map(({ machine }) => machine))).toEqual(new Set(MACHINES));
    const agents = await readdir(join(share, 'lake/machines/rosalind/sessions'));
    const all = ['claude-code', 'codex', 'neovate', 'pi'];
    expect(agents.toSorted()).toEqual(all.map((agent) => `agent=${agent}`));
    expect(tools?.some(({ failed }) => Number(failed) > 0)).toBe(true);
    expect(stuck?.length).toBeGreaterThan(0);
  });

  it('is not written again where nothing is new, and nothing is left in scratch', async () => {
    const before = await readTimes();
    await runLake();
    expect(await readTimes()).toEqual(before);
    expect(await readdir(join(dir, 'scratch/coppice-lake'))).toEqual([]);
  });
});
