import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NamesBeside } from '../../../src/store/sessions/names-beside.ts';
import { makeTempDir } from '../../temp-dir.ts';

it('knows which notes and folders may be beside a session', async () => {
  const store = await makeTempDir();
  const session = join(store, 'a.jsonl');
  await mkdir(join(store, 'A'));
  await writeFile(join(store, 'a.note.json'), '{}');
  const names = new NamesBeside();
  const mayHave = (...path: readonly string[]) => names.mayHave(session, join(...path));
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
  expect(new NamesBeside().mayHave(session, join(store, 'a', 'title.json'))).toBe(true);
});
