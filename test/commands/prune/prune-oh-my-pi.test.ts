import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { makeOld, makeTempDir, writeFiles } from '../../temp-dir.ts';

const NAME = '2026-02-03T18-05-00-875Z_01a22da1-b04b-7625-b662-a6447f707c19.jsonl';
const OTHER =
  '{"type":"session","version":3,"id":"another","timestamp":"2026-01-01T00:00:00.000Z"}\n';
const named = await readFile(
  join(import.meta.dirname, '../../fixtures/oh-my-pi/named.jsonl'),
  'utf8',
);

async function makeStore(files: Readonly<Record<string, string>>): Promise<string> {
  const home = await makeTempDir();
  const place = (name: string): string => `.omp/agent/sessions/-src-api/${name}`;
  const placed = Object.entries(files).map(([name, text]) => [place(name), text] as const);
  await writeFiles(home, Object.fromEntries(placed));
  await makeOld(placed.map(([name]) => join(home, name)));
  return join(home, place('.'));
}

async function prune(store: string, ...options: string[]): Promise<void> {
  const rest = ['--older-than', '0s', '--grace', '0s', '--allow-empty', '--apply', ...options];
  await runTest(['prune', '--store', store, ...rest]);
}

it('removes with a session what oh-my-pi would make the session of again', async () => {
  const store = await makeStore({
    [NAME]: named,
    [`${NAME}.1a2b3c4d5e6f7890.bak`]: named.replace('Renamed', 'Before'),
    [`${NAME}.0000000000000000.bak`]: OTHER,
    [`${NAME}.old.bak`]: named,
    [`${NAME}.bak`]: named,
  });
  await prune(store, '--delete');
  expect((await readdir(store)).toSorted()).toEqual([
    `${NAME}.0000000000000000.bak`,
    `${NAME}.bak`,
    `${NAME}.old.bak`,
  ]);
});

it('brings it back from an archive', async () => {
  const files = { [NAME]: named, [`${NAME}.1a2b3c4d5e6f7890.bak`]: named };
  const store = await makeStore(files);
  const archive = join(await makeTempDir(), 'archive');
  await prune(store, '--archive', archive);
  expect(await readdir(store).catch(() => [])).toEqual([]);
  await runTest(['prune', '--store', store, '--archive', archive, '--restore', 'all']);
  expect((await readdir(store)).toSorted()).toEqual(Object.keys(files).toSorted());
});

it('knows all that oh-my-pi writes into a session without its user', async () => {
  const [title = '', header = '', model = ''] = named.split('\n');
  const own = ['mode_change', 'service_tier_change', 'credential_pin'].map((type, at) =>
    JSON.stringify({ type, id: `e${at}`, parentId: null, timestamp: '2026-02-03T18:05:00.876Z' }),
  );
  const untitled = title.replace(/"title":"[^"]+"/, '"title":""');
  const store = await makeStore({ [NAME]: [untitled, header, model, ...own, ''].join('\n') });
  await runTest([
    'prune',
    '--store',
    store,
    '--empty',
    '--grace',
    '0s',
    '--allow-empty',
    '--apply',
    '--delete',
  ]);
  expect(await readdir(store)).toEqual([]);
});
