import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { NOW } from '../../memory-terminal.ts';
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

it.each([
  ['when it was active', /("[^"]+Z",)"[^"]+Z"/, `$1"${new Date(NOW).toISOString()}"`],
  ['anything at all', /\[.*/, '[]]'],
])(
  'believes only the files once it removes, if the index is wrong about %s',
  async (_, from, to) => {
    const keepLast = (...args: readonly string[]) =>
      world.run(['--store', 'store', '--json', '--keep-last', '2', ...args], { home });
    const first = await keepLast();
    const text = await readFile(index, 'utf8');
    await forgeIndex(index, (line) =>
      line.replace(/(?<=\["named\.jsonl",)[^\]]*\]\]/, (row) => row.replace(from, to)),
    );
    expect(await readFile(index, 'utf8')).not.toBe(text);
    expect(first.out).toContain('"actions":{"remove":1,"keep":2}');
    await keepLast('--apply', '--delete');
    expect(await world.names()).toEqual(['proj', 'proj/old.jsonl', 'proj/young.jsonl']);
  },
);
