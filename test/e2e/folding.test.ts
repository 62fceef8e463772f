import { readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sampleSession } from '../sample-session.ts';
import { makeTempDir, writeFiles } from '../temp-dir.ts';
import { runBinary } from './run-binary.ts';

const LAYER = fileURLToPath(new URL('fold-layer.mjs', import.meta.url));
const LONG_AGO = new Date('2026-01-01T00:00:00Z');

/** A store on a disk as macOS has it, with a session of one project. */
async function makeStore(cwd: string, project: string) {
  const dir = await makeTempDir();
  const name = '2026-01-01T00-00-00-000Z_0199a111-0000-7000-8000-000000000001.jsonl';
  const path = join(project, name);
  await writeFiles(join(dir, 'store'), {
    [path]: sampleSession({ id: '0199a111-0000-7000-8000-000000000001', cwd }),
  });
  utimesSync(join(dir, 'store', path), LONG_AGO, LONG_AGO);
  const run = async (...args: readonly string[]) => {
    const env = { COPPICE_FOLD: dir, NODE_OPTIONS: `--import ${LAYER}` };
    const { code, out, err } = await runBinary(args, { cwd: dir, env });
    return { code, err, results: JSON.parse(out).results as readonly Record<string, unknown>[] };
  };
  const list = () => {
    const found = readdirSync(join(dir, 'store'), { recursive: true, withFileTypes: true });
    return found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  };
  return { dir, name, run, list };
}

// Windows has names that differ only in case for one, too.
describe('where names that differ in case or in the form of an accent are one', () => {
  it.each([
    ['/src/api', '/src/API', '--src-api--', '--src-API--'],
    ['/src/caf\u00e9', '/src/cafe\u0301', '--src-caf\u00e9--', '--src-cafe\u0301--'],
  ])('a project that moves from %s to %s keeps its sessions', async (from, to, project, moved) => {
    const { run, list } = await makeStore(from, project);
    const args = ['migrate', '--store', 'store', '--cwd', `${from}=${to}`, '--apply', '--json'];
    const { code, results } = await run(...args);
    expect([code, results.length]).toEqual([0, 1]);
    const [path = '', ...others] = list();
    expect(others).toEqual([]);
    expect([project, moved].some((name) => path.includes(name))).toBe(true);
    expect(JSON.parse(readFileSync(path, 'utf8').split('\n')[0] ?? '')).toMatchObject({ cwd: to });
  });

  it('a store and a session are found by another spelling', async () => {
    const { run, name } = await makeStore('/src/api', '--src-api--');
    const { results } = await run('list', '--store', 'STORE', '--json');
    expect(results).toHaveLength(1);
    const { results: named } = await run('list', `Store/--SRC-api--/${name}`, '--json');
    expect(named).toHaveLength(1);
  });

  it('a session that is named in two spellings is one', async () => {
    const { run, name } = await makeStore('/src/api', '--src-api--');
    const paths = [`store/--src-api--/${name}`, `Store/--SRC-api--/${name}`, 'STORE'];
    const { results } = await run('list', ...paths, '--json');
    expect(results).toHaveLength(1);
    const { results: pruned } = await run('prune', ...paths, '--older-than', '1d', '--json');
    expect(pruned).toHaveLength(1);
  });

  it('an archive is not restored onto a file whose name differs only in case', async () => {
    const { dir, run, name, list } = await makeStore('/src/api', '--src-api--');
    const archive = ['--store', 'store', '--archive', 'archive', '--json'];
    const prune = ['prune', '--older-than', '1d', '--allow-empty', '--grace', '0s', '--apply'];
    expect(await run(...prune, ...archive)).toMatchObject({ code: 0 });
    await writeFiles(join(dir, 'store/--src-api--'), { [name.toUpperCase()]: 'another' });
    const { code, results } = await run('prune', '--restore', 'all', ...archive);
    expect([code, results[0]?.['action']]).toEqual([3, 'fail']);
    expect(list().map((one) => readFileSync(one, 'utf8'))).toEqual(['another']);
    expect(readdirSync(join(dir, 'archive')).filter((one) => one.endsWith('.gz'))).toHaveLength(1);
  });

  it('an archive gives a session back beside one of another spelling, and takes nothing from it', async () => {
    const { run, list } = await makeStore('/src/api', '--src-api--');
    const archive = ['--store', 'store', '--archive', 'archive', '--json'];
    const prune = ['prune', '--older-than', '1d', '--allow-empty', '--grace', '0s', '--apply'];
    const [path = ''] = list();
    const text = readFileSync(path, 'utf8');
    expect(await run(...prune, ...archive)).toMatchObject({ code: 0 });
    expect(list()).toEqual([]);
    expect(await run('prune', '--restore', 'all', ...archive)).toMatchObject({ code: 0 });
    expect(await run('prune', '--restore', 'all', ...archive)).toMatchObject({
      results: [{ action: 'unchanged' }],
    });
    expect(list().map((one) => readFileSync(one, 'utf8'))).toEqual([text]);
  });
});
