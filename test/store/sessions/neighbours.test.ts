import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Neighbours } from '../../../src/store/sessions/neighbours.ts';
import { makeTempDir } from '../../temp-dir.ts';

it('knows which notes and folders may be beside a session', async () => {
  const store = await makeTempDir();
  const session = join(store, 'a.jsonl');
  await mkdir(join(store, 'A'));
  await writeFile(join(store, 'a.note.json'), '{}');
  const neighbours = new Neighbours();
  const mayHave = (...path: readonly string[]) => neighbours.mayHave(session, join(...path));
  expect(mayHave(store, 'a.note.json')).toBe(true);
  expect(mayHave(store, 'a.other.json')).toBe(false);
  // A system may compare names without their case.
  expect(mayHave(store, 'a', 'title.json')).toBe(true);
  expect(mayHave(store, 'b', 'title.json')).toBe(false);
  // Some systems have another form of such a name on the disk.
  expect(mayHave(store, 'é', 'title.json')).toBe(true);
  expect(mayHave(store, '..', 'settings.json')).toBe(true);
  expect(mayHave(`${store}b`, 'title.json')).toBe(true);
});

it('leaves it open where a directory cannot be listed', async () => {
  const store = join(await makeTempDir(), 'gone');
  const session = join(store, 'a.jsonl');
  expect(new Neighbours().mayHave(session, join(store, 'a', 'title.json'))).toBe(true);
});
