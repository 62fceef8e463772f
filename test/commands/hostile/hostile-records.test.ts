import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pick } from '../../harness/pick.ts';
import { runs } from '../../harness/runs.ts';
import { assistant, toSession, user } from '../../session-lines.ts';
import { toJsonl } from '../../temp-dir.ts';
import { type HostileWorld, listOutside, makeHostileWorld } from './hostile-world.ts';
import { mutate } from './mutate-record.ts';

const STORE = ['--store', 'store'];
const OLD = [...STORE, '--older-than', '30d', '--allow-empty'];
const ARCHIVE = ['--archive', 'archive'];

interface Kind {
  readonly make: readonly (readonly string[])[];
  readonly file: string;
  readonly readers: readonly (readonly string[])[];
}

const KINDS: Readonly<Record<string, Kind>> = {
  'the index of sessions': {
    make: [['list', ...STORE]],
    file: 'home/.cache/coppice/sessions.ndjson',
    readers: [
      ['list', ...STORE, '--json'],
      ['list', ...STORE, '--columns', 'agent,cwd,name,model,messages,size'],
      ['list', ...STORE, '--by', 'model'],
      ['list', ...STORE, '--by', 'project'],
      ['list', ...STORE, '--lineage'],
      ['prune', ...OLD, '--keep-named', '--keep-last', '1', '--keep-daily', '2'],
      ['prune', ...STORE, '--empty', '--allow-empty', '--json'],
      ['compact', ...STORE, '--force'],
      ['compact', ...STORE, '--copies', '--superseded-state'],
      ['export', ...STORE, '--as', 'md', '--out', 'made'],
      ['export', ...STORE, '--as', 'archive', '--out', 'backup'],
      ['migrate', ...STORE, '--last', '1'],
      ['validate', ...STORE, '--last', '1'],
    ],
  },
  'the index of usage': {
    make: [['list', ...STORE, '--usage']],
    file: 'home/.cache/coppice/usage.ndjson',
    readers: [
      ['list', ...STORE, '--usage', '--json'],
      ['list', ...STORE, '--usage'],
      ['list', ...STORE, '--by', 'model'],
      ['list', ...STORE, '--by', 'day', '--json'],
      ['export', ...STORE, '--as', 'html', '--out', 'made'],
      ['export', ...STORE, '--as', 'parquet', '--out', 'made'],
    ],
  },
  'the index of an archive': {
    make: [['export', ...STORE, '--as', 'archive', '--out', 'archive']],
    file: 'archive/index.ndjson',
    readers: [
      ['prune', ...ARCHIVE, '--list'],
      ['prune', ...ARCHIVE, '--list', '--json'],
      ['prune', ...ARCHIVE, '--check'],
      ['prune', ...ARCHIVE, '--restore', 'all', '--dry-run'],
      ['prune', ...ARCHIVE, '--restore', 'all', '--dry-run', '--as-of', '2127-01-01'],
      ['prune', '--in-archive', 'archive', '--keep-last', '1', '--keep-states', '1'],
      ['prune', ...OLD, ...ARCHIVE],
      ['export', ...STORE, '--as', 'archive', '--out', 'archive', '--dry-run'],
      ['export', ...STORE, '--as', 'archive', '--out', 'archive'],
      ['prune', ...ARCHIVE, '--rebuild-index'],
    ],
  },
  'a plan': {
    make: [['prune', ...OLD, '--plan-out', 'plan']],
    file: 'plan',
    readers: [
      ['prune', '--plan', 'plan'],
      ['prune', '--plan', 'plan', '--json'],
      ['prune', '--plan', 'plan', '--keep-last', '1'],
      ['prune', '--plan', 'plan', '--shard', '1/2'],
      ['prune', ...OLD, '--plan-out', 'plan'],
    ],
  },
  'the record of an export': {
    make: [['export', ...STORE, '--as', 'html', '--out', 'made']],
    file: 'made/.coppice-export.json',
    readers: [
      ['export', ...STORE, '--as', 'html', '--out', 'made', '--dry-run'],
      ['export', ...STORE, '--as', 'html', '--out', 'made'],
      ['export', ...STORE, '--as', 'md', '--out', 'made'],
    ],
  },
};

async function setUp(): Promise<HostileWorld> {
  const world = await makeHostileWorld();
  world.write('home/.profile', '');
  for (const [at, id] of ['a', 'b', 'c'].entries()) {
    const [header = {}, ...lines] = toSession([user(`Hi ${id}`), assistant('Hello.')]);
    const parentSession = at > 0 ? join(world.root, 'store/a.jsonl') : undefined;
    world.write(`store/${id}.jsonl`, toJsonl([{ ...header, id, parentSession }, ...lines]));
  }
  return world;
}

it.each(Object.entries(KINDS))(
  'takes %s that holds anything',
  async (kind, { make, file, readers }) => {
    const world = await setUp();
    for (const argv of make) expect((await world.run(...argv)).exitCode).toBe(0);
    const path = join(world.root, file);
    const before = readFileSync(path, 'utf8');
    const lines = before.trimEnd().split('\n');
    const defects: string[] = [];
    for (let n = 0; n < runs(120); n += 1) {
      const at = pick(lines.length, `${kind} ${n} line`);
      const changed = lines.with?.(at, mutate(lines[at] ?? '', `${kind} ${n}`)) ?? lines;
      const argv = readers[n % readers.length] ?? [];
      world.write(file, `${changed.join('\n')}\n`);
      const { exitCode, err } = await world.run(...argv);
      const isTold = exitCode === 0 || exitCode === 1 || err !== '';
      if (exitCode > 3 || !isTold) {
        defects.push(
          `${argv.join(' ')}: ${exitCode} ${err.slice(0, 300)} (${changed[at]?.slice(0, 400)})`,
        );
      }
      expect(Object.prototype).not.toHaveProperty('polluted');
    }
    expect(defects).toEqual([]);
    const inside = ['store', 'home', 'archive', 'made', 'backup'];
    expect(listOutside(world.root, inside)).toEqual(
      ['plan', 'precious/file'].slice(file === 'plan' ? 0 : 1),
    );
    expect(readdirSync(join(world.root, 'store'))).toEqual(['a.jsonl', 'b.jsonl', 'c.jsonl']);
    rmSync(path);
  },
);
