import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { PruneResult } from '../../../src/report/prune/columns.ts';
import { forgeIndex } from '../../store/find/forge-index.ts';
import { PruneWorld } from './prune-world.ts';

let world: PruneWorld;
let home: string;
let index: string;

const RULES = ['--store', 'store', '--json', '--older-than', '30d', '--keep-named'];
const plan = async (...args: readonly string[]) => world.run([...RULES, ...args], { home });

beforeEach(async () => {
  world = await PruneWorld.make();
  home = join(world.dir, 'home');
  index = join(home, '.cache/coppice/sessions.ndjson');
  await mkdir(home);
  await world.add('young', 1);
  await world.add('old', 61);
  await world.add('named', 70, { name: 'Keep me' });
});

/** Makes the index say something else than the files do. */
async function forge(from: string, to: string): Promise<void> {
  const text = await readFile(index, 'utf8');
  expect(text).toContain(from);
  await forgeIndex(index, (line) => line.replaceAll(from, to));
}

it('plans the same from the index as from the files', async () => {
  const first = await plan();
  expect(first.out).toContain('"action":"remove"');
  expect(await readFile(index, 'utf8')).toContain('Keep me');
  expect(await plan()).toEqual(first);
  expect(await plan('--no-cache')).toEqual(first);
});

it('takes what is kept from the index', async () => {
  await plan();
  await forge('Keep me', 'Forged');
  expect((await plan()).out).toContain('Forged');
  expect((await plan('--no-cache')).out).not.toContain('Forged');
});

it('reads a session before it removes it, whatever the index says', async () => {
  const first = await plan();
  await forge('"Keep me"', 'null');
  expect(await plan()).toEqual(first);
  const applied = await plan('--apply', '--delete');
  expect(applied.out).toContain('"actions":{"remove":1,"keep":2}');
  expect(await world.names()).toContain('proj/named.jsonl');
});

it('reads a session again that has changed', async () => {
  await plan();
  const name = { type: 'session_info', id: 'aaaaaaa9', parentId: 'aaaaaaa2', name: 'Mine' };
  await appendFile(world.path('old'), `${JSON.stringify(name)}\n`);
  await world.touch('proj/old.jsonl', 61);
  expect((await plan()).out).not.toContain('"action":"remove"');
});

/** Makes a change to what the index says of a session. */
function forgeRow(name: string, change: (row: string) => string): Promise<void> {
  const row = new RegExp(String.raw`(?<=\["${name}\.jsonl",)[^\]]*\]\]`);
  return forgeIndex(index, (line) => line.replace(row, change));
}

it('believes only the files once it removes, if the index is wrong about a session that is kept', async () => {
  await world.add('fork', 5, { parentSession: world.path('old') });
  const removed = async (...args: readonly string[]) => {
    const { out } = await plan(...args);
    const { results } = JSON.parse(out) as { readonly results: readonly PruneResult[] };
    return results.filter(({ action }) => action === 'remove').map(({ id }) => id);
  };
  expect(await removed()).toEqual([]);
  await forgeRow('fork', (row) => row.replace(`"${world.path('old')}"`, 'null'));
  expect(await removed()).toEqual(['old']);
  expect(await removed('--apply', '--delete')).toEqual([]);
});

it('reads a session of which the index says nothing that can be', async () => {
  const args = ['--store', 'store', '--keep-last', '2'];
  await world.run(args, { home });
  await forgeRow('named', () => '[]]');
  await world.run([...args, '--apply', '--delete'], { home });
  expect(await world.names()).toEqual(['proj', 'proj/old.jsonl', 'proj/young.jsonl']);
});
