import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { getOwnPlace } from '../../../src/session/jsonl/files/process-place.ts';
import { runs } from '../../harness/runs.ts';
import { FIXTURES } from '../../session/agents/codex/corpus.ts';
import { readRows } from '../../store/database/read-rows.ts';
import { ClaudeCodeHome } from '../prune/claude-code-home.ts';
import { makeTempDir } from '../../temp-dir.ts';
import { runTest } from '../../memory-terminal.ts';
import { mutate } from './mutate-record.ts';

/** A process that no system has, on this machine: a run that was killed. */
const MARK = `4194999@${getOwnPlace()}.0123456789ab`;
const BRANCH = '9ea00f87-f67b-45df-9923-ae7bf95e99d0';
const LEAVING = '62070c02-3ff3-438d-8a64-9ef9f43b5b5b';
const PACKED = '01a1fffd-5aa0-7002-bccf-c18ba9b56497';

const list = (home: string): readonly string[] =>
  readdirSync(home, { recursive: true, encoding: 'utf8' }).toSorted();

it('takes a note of prompts to remove that holds anything', async () => {
  const made = await ClaudeCodeHome.make();
  const { home, config } = made;
  const history = join(config, 'history.jsonl');
  const project = join(config, 'projects', '-home-u-demo-project');
  const path = join(project, `${LEAVING}.jsonl`);
  rmSync(path);
  rmSync(path.replace('.jsonl', ''), { recursive: true, force: true });
  const before = readFileSync(history, 'utf8');
  const others = before.split('\n').filter((line) => !line.includes(LEAVING));
  const files = list(config);
  const noted = JSON.stringify({ path, id: LEAVING, count: 9 });
  const argv = ['prune', join(project, `${BRANCH}.jsonl`), '--smaller-than', '1B', '--history'];
  const finish = (line: string) => {
    writeFileSync(history, before);
    writeFileSync(join(config, `.history.jsonl.${MARK}.coppice-leaving`), `${line}\n`);
    return made.run(...argv, '--apply', '--delete');
  };
  for (let n = 0; n < runs(80); n += 1) {
    const line = n === 0 ? noted : mutate(noted, `prompts ${n}`);
    const { exitCode } = await finish(line);
    const left = readFileSync(history, 'utf8').split('\n');
    expect([exitCode, left.filter((one) => !one.includes(LEAVING))]).toEqual([0, others]);
    expect(list(config)).toEqual(files);
  }
  const [live = ''] = others.flatMap((one) => /"sessionId":"([^"]+)"/.exec(one)?.[1] ?? []);
  for (const line of [
    JSON.stringify({ path, id: live, count: 9 }),
    JSON.stringify({ path: join(home, 'elsewhere.jsonl'), id: live, count: 9 }),
  ]) {
    await finish(line);
    expect(readFileSync(history, 'utf8')).toBe(before);
  }
});

it('takes rows beside a thread that hold anything', async () => {
  const world = await makeTempDir();
  const home = join(world, '.codex');
  cpSync(join(FIXTURES, 'home'), home, { recursive: true });
  const name = list(home).find((one) => one.includes(PACKED) && one.includes('rollout')) ?? '';
  const file = join(home, `${name.replace(/\.zst$/, '')}.rows.json`);
  const attachment = { id: 'a', thread_id: PACKED, kind: 'file', content_key: 'k' };
  const rows = { schemaVersion: 1, databases: { state: { thread_attachments: [attachment] } } };
  const withoutOwn = async (): Promise<readonly string[]> =>
    Object.values(await readRows(home)).flatMap((some) =>
      some.filter((row) => !row.includes(PACKED)),
    );
  const before = await withoutOwn();
  for (let n = 0; n < runs(80); n += 1) {
    writeFileSync(file, mutate(JSON.stringify(rows), `rows ${n}`));
    const argv = ['prune', '--restore', file];
    const { exitCode, err } = await runTest(argv, { home: world, cwd: world, env: {} });
    expect([0, 2, 3]).toContain(exitCode);
    expect(exitCode === 0 || err !== '').toBe(true);
  }
  expect(await withoutOwn()).toEqual(before);
});

it('takes a file that was set aside and holds anything', async () => {
  const world = await makeTempDir();
  const store = join(world, 'store');
  cpSync(join(FIXTURES, 'home', 'sessions'), store, { recursive: true });
  const before = list(store);
  const name = before.find((one) => one.endsWith('.jsonl')) ?? '';
  const [header = '', ...rest] = readFileSync(join(store, name), 'utf8').split('\n');
  const aside = `${name}.${MARK}.coppice-moved.json`;
  const readers = [
    ['list', '--json'],
    ['prune', '--older-than', '1d', '--json'],
    ['migrate', '--cwd', '/a=/b'],
    ['validate'],
  ];
  for (let n = 0; n < runs(40); n += 1) {
    writeFileSync(join(store, aside), [mutate(header, `aside ${n}`), ...rest].join('\n'));
    const [verb = '', ...options] = readers[n % readers.length] ?? [];
    const argv = [verb, ...options, '--store', store];
    const { exitCode, err } = await runTest(argv, { home: world, cwd: world, env: {} });
    expect(exitCode).toBeLessThanOrEqual(3);
    expect(exitCode < 2 || err !== '').toBe(true);
    expect(list(store)).toEqual([...before, aside].toSorted());
  }
});
