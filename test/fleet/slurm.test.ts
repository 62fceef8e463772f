import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEED } from '../harness/runs.ts';
import { type Blow, runArray, type Victim } from './job-array.ts';
import { makeMixedStore } from './mixed-store.ts';

const execute = promisify(execFile);
const BINARY = fileURLToPath(new URL('../../bin/coppice.js', import.meta.url));
const QUERY = fileURLToPath(new URL('../duckdb/query.mjs', import.meta.url));
const IS_LONG = process.env['COPPICE_LONG'] === '1';
const SESSIONS = IS_LONG ? 5000 : 300;
/** Some arrays begin at 0, some have steps, as people submit them. */
const RANGES = IS_LONG ? ['1-16', '0-15', '1-31:2', '10-25'] : ['1-4', '0-3', '1-7:2', '10-13'];
const BLOWS: readonly Blow[] = ['scancel', 'kill -9', 'requeue'];
const POLICY = '--older-than 2026-09-01 --keep-last 2 --keep-monthly 1';

/** Files by path, each as a hash; modes and times are compared by the unit tests. */
type Tree = Readonly<Record<string, string>>;

interface Outcome {
  readonly migrated: Tree;
  readonly findings: readonly string[];
  readonly tables: unknown;
  readonly kept: Tree;
  readonly archived: readonly string[];
  readonly restored: Tree;
}

let dir: string;
let store: string;
let plain: Outcome;
let byFleet: Outcome;
/** How many tasks were stopped in the middle. */
let stopped = 0;

function toEnv(): Record<string, string> {
  const { PATH = '', COPPICE_SLURM_CONF: SLURM_CONF = '', TMPDIR = '/tmp' } = process.env;
  // Nothing of an engine that runs these tests: `--shard auto` refuses two.
  return { PATH, SLURM_CONF, TMPDIR, HOME: join(dir, 'home'), TZ: 'UTC', LANG: 'C.UTF-8' };
}

async function readTree(root: string): Promise<Tree> {
  const files = await readdir(root, { recursive: true, withFileTypes: true });
  const tree: Record<string, string> = {};
  for (const one of files) {
    if (!one.isFile()) continue;
    const path = join(one.parentPath, one.name);
    tree[relative(root, path)] = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  }
  return tree;
}

async function query(lake: string): Promise<unknown> {
  const table = (name: string): string =>
    `read_parquet('${lake}/${name}/**/*.parquet', hive_partitioning = true)`;
  const statements = [
    `SELECT agent, month, count(*)::INT AS sessions, sum(message_count)::INT AS messages
     FROM ${table('sessions')} GROUP BY ALL ORDER BY ALL`,
    `SELECT agent, model, inherited, sum(total_tokens)::DOUBLE AS tokens, round(sum(cost), 6) AS cost
     FROM ${table('usage')} GROUP BY ALL ORDER BY ALL`,
    ...['sessions', 'usage', 'entries'].map(
      (name) =>
        `SELECT count(*)::INT AS rows, bit_xor(hash(one))::VARCHAR AS hash FROM ${table(name)} one`,
    ),
  ];
  const { stdout } = await execute(process.execPath, [QUERY, ...statements], {
    maxBuffer: 2 ** 28,
  });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

/** Has each command done by `run`, one after the other on one store, and looks at what came of it. */
async function observe(
  name: string,
  run: (step: number, command: string, to?: string) => Promise<void>,
): Promise<Outcome> {
  await rm(store, { recursive: true, force: true });
  await cp(join(dir, 'pristine'), store, { recursive: true, preserveTimestamps: true });
  const out = join(dir, name);
  const coppice = `${process.execPath} ${BINARY}`;
  const common = `--store ${store} --quiet`;
  await run(0, `${coppice} migrate ${common} --apply`);
  const migrated = await readTree(store);
  await run(1, `${coppice} validate ${common} --format ndjson`, join(out, 'findings'));
  const findings = await readLines(join(out, 'findings'));
  await run(2, `${coppice} export --as parquet --out ${out}/lake ${common}`);
  const tables = await query(join(out, 'lake'));
  await run(3, `${coppice} prune ${POLICY} ${common} --apply --archive ${out}/archive`);
  const kept = await readTree(store);
  const listed = await execute(
    process.execPath,
    [BINARY, 'prune', '--archive', `${out}/archive`, '--list', '--json'],
    { env: toEnv(), maxBuffer: 2 ** 28 },
  );
  const { results } = JSON.parse(listed.stdout) as { results: Readonly<Record<string, unknown>>[] };
  const archived = results.map(
    ({ path, id, size }) => `${path as string} ${id as string} ${size as number}`,
  );
  await execute(
    process.execPath,
    [
      BINARY,
      'prune',
      '--archive',
      `${out}/archive`,
      '--restore',
      'all',
      '--store',
      store,
      '--quiet',
    ],
    { env: toEnv(), maxBuffer: 2 ** 28 },
  );
  return {
    migrated,
    findings,
    tables,
    kept,
    archived: archived.toSorted(),
    restored: await readTree(store),
  };
}

/** Of all files in a directory, sorted. */
async function readLines(folder: string): Promise<readonly string[]> {
  const texts = (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8'));
  return (await Promise.all(texts))
    .flatMap((text) => text.split('\n'))
    .filter(Boolean)
    .toSorted();
}

/** Some sessions are damaged: 1 and 3 say so, and that the rest is done. */
function toLine(command: string, to = '/dev/null'): string {
  return `${command} > ${to} || case $? in 1 | 3) ;; *) exit 1 ;; esac`;
}

async function runPlain(_step: number, command: string, to?: string): Promise<void> {
  const line =
    to === undefined ? toLine(command) : `mkdir -p ${to}; ${toLine(command, `${to}/all`)}`;
  await execute('sh', ['-c', line], { env: toEnv(), maxBuffer: 2 ** 28 });
}

/** Victims differ from step to step, and so do the moments: from before the first read to near the end. */
function chooseVictims(step: number, range: string): readonly Victim[] {
  const [from = 0, , by = 1] =
    /^(\d+)-(\d+)(?::(\d+))?$/
      .exec(range)
      ?.slice(1)
      .map((part) => Number(part ?? 1)) ?? [];
  return BLOWS.map((blow, at) => {
    const random = createHash('sha256').update(`${SEED}:${step}:${at}`).digest().readUInt16BE(0);
    return { task: from + at * by, blow, delay: random % (IS_LONG ? 4000 : 900) };
  });
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'coppice-fleet-'));
  store = join(dir, 'store');
  await makeMixedStore(join(dir, 'pristine'), SESSIONS, String(SEED));
  plain = await observe('plain', runPlain);
  byFleet = await observe('fleet', async (step, command, to) => {
    const range = RANGES[step] ?? '';
    const shard = `${command} --shard auto`;
    const part = `${to}/$SLURM_ARRAY_TASK_ID`;
    const line = to === undefined ? toLine(shard) : `mkdir -p ${to}; ${toLine(shard, part)}`;
    const options = { range, command: line, env: toEnv(), dir: join(dir, 'jobs', String(step)) };
    stopped += await runArray({ ...options, victims: chooseVictims(step, range) });
  });
});
afterAll(() => rm(dir, { recursive: true, force: true }));

describe('job arrays of Slurm, of which tasks were cancelled, killed and requeued, do what one run does', () => {
  it('were stopped in the middle', () => {
    expect(stopped).toBeGreaterThan(BLOWS.length);
  });

  it('migrate: the same files, byte for byte', () => {
    expect(Object.keys(plain.migrated).length).toBeGreaterThan(SESSIONS);
    expect(byFleet.migrated).toEqual(plain.migrated);
  });

  it('validate: the same findings', () => {
    expect(plain.findings.length).toBeGreaterThan(SESSIONS / 10);
    expect(byFleet.findings).toEqual(plain.findings);
  });

  it('export --as parquet: the same numbers in DuckDB, and the same rows', () => {
    expect(byFleet.tables).toEqual(plain.tables);
  });

  it('prune --archive: the same sessions kept and archived, which come back the same', () => {
    expect(Object.keys(plain.kept).length).toBeLessThan(Object.keys(plain.migrated).length);
    expect(byFleet.kept).toEqual(plain.kept);
    expect(byFleet.archived).toEqual(plain.archived);
    expect(byFleet.restored).toEqual(plain.restored);
    expect(plain.restored).toEqual(plain.migrated);
  });
});
