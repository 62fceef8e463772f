import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { NameSearch, searchNames } from '../../../src/store/sessions/sidecars/search-names.ts';
import { makeTempDir } from '../../temp-dir.ts';

const LINE = '{"type":"user","slug":"red-fox"}\n';

const UNNAMED = {
  'p/whole.jsonl': '{"type":"user"}\n\n',
  'p/memory/MEMORY.md': 'A text, and {no JSON}.\n',
};

const NAMED = {
  'p/log/subagents/agent-1.jsonl': LINE,
  '.old/hidden.jsonl': LINE,
  'p/unknown.jsonl': '{"type":"new","attachment":{"planFilePath":"/home/u/plans/red-fox.md"}}',
  'p/escaped.jsonl': String.raw`{"type":"user","slug":"red\u002dfox"}`,
  'p/note.txt': 'See red-fox.\n',
  'p/backup.jsonl.bak': LINE,
};

const UNCLEAR = {
  'p/empty.jsonl': '',
  'p/blank.jsonl': '\n\n',
  'p/zeros': Buffer.alloc(5000),
  'p/torn.jsonl': '{"type":"user"}\n{"type":"user","slug":"gree{"type":"user"}\n',
  'p/compressed.jsonl.gz': gzipSync(LINE),
  'p/false.jsonl.zst': 'not compressed',
};

it('finds the files that have a name, or may have it', async () => {
  const directory = join(await makeTempDir(), 'projects');
  for (const [name, content] of Object.entries({ ...UNNAMED, ...NAMED, ...UNCLEAR })) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), content);
  }
  const found = await searchNames(directory, ['red-fox', 'green-owl']);
  const list = (name: string): readonly string[] =>
    (found.get(name) ?? [])
      .map((path) => path.slice(directory.length + 1).replaceAll(sep, '/'))
      .toSorted();
  const unclear = Object.keys(UNCLEAR);
  expect(list('green-owl')).toEqual(unclear.toSorted());
  expect(list('red-fox')).toEqual([...Object.keys(NAMED), ...unclear].toSorted());
});

it('finds a file whose line may be too deep to be written again, as before Node 26', async () => {
  const directory = join(await makeTempDir(), 'projects');
  const [open, close] = ['['.repeat(100_000), ']'.repeat(100_000)];
  await mkdir(directory);
  await writeFile(join(directory, 'a.jsonl'), `{"type":"new","at":${open}"red\\u002dfox"${close}}`);
  const found = await searchNames(directory, ['red-fox']);
  expect(found.get('red-fox')).toEqual([join(directory, 'a.jsonl')]);
});

it('follows links, once, and finds every name behind one that leads nowhere', async () => {
  const directory = join(await makeTempDir(), 'projects');
  await mkdir(join(directory, 'p'), { recursive: true });
  await writeFile(join(directory, 'p/session.jsonl'), LINE);
  await symlink(directory, join(directory, 'p/around'));
  await symlink(join(directory, 'not-mounted'), join(directory, 'lost'));
  const found = await searchNames(directory, ['red-fox', 'green-owl']);
  expect(found.get('green-owl')).toEqual([join(directory, 'lost')]);
  expect(found.get('red-fox')).toEqual([
    join(directory, 'lost'),
    join(directory, 'p/session.jsonl'),
  ]);
});

describe('a search that is repeated', () => {
  it('reads a directory again for a name that is new, and otherwise once', async () => {
    const directory = join(await makeTempDir(), 'projects');
    const [path, late] = [join(directory, 'a.jsonl'), join(directory, 'b.jsonl')];
    await mkdir(directory);
    await writeFile(path, LINE);
    const search = new NameSearch(['red-fox', 'blue-elk']);
    const list = (name: string) => search.list(directory, name, () => false);
    expect(await list('red-fox')).toEqual([path]);
    await writeFile(late, LINE.replace('red-fox', 'blue-elk'));
    expect(await list('blue-elk')).toEqual([]);
    expect(await list('green-owl')).toEqual([]);
    expect(await list('blue-elk')).toEqual([late]);
  });

  it('reads nothing that is passed over', async () => {
    const directory = join(await makeTempDir(), 'projects');
    const [path, other] = [join(directory, 'a.jsonl'), join(directory, 'b.jsonl')];
    await mkdir(directory);
    for (const one of [path, other]) await writeFile(one, LINE);
    const search = new NameSearch(['red-fox']);
    expect(await search.list(directory, 'red-fox', (one) => one === other)).toEqual([path]);
  });
});
