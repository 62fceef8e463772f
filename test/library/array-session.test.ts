import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { SessionManager } from '../../src/index.ts';
import { migrateSession } from '../../src/session/migrate/migrate-session.ts';
import { makeTempDir, writeFiles } from '../temp-dir.ts';

const AT = 1_700_000_000_000;
const ARRAY = [
  { type: 'session', id: 'arr-1', timestamp: AT, cwd: '/p' },
  { type: 'message', id: 'a', parentId: null, message: { role: 'user', content: 'Hi' } },
  { type: 'message', id: 'b', parentId: 'a', message: { role: 'assistant', content: 'Yo' } },
];

let dir: string;
let path: string;

beforeEach(async () => {
  dir = await makeTempDir();
  path = join(dir, 'arr-1.json');
  await writeFiles(dir, { 'arr-1.json': JSON.stringify(ARRAY), 'settings.json': '{"a":[1]}' });
});

it('opens a JSON array in memory, as migrate would write it, and never writes it', async () => {
  const manager = SessionManager.open(path, dir);
  expect(manager.getHeader()).toMatchObject({ id: 'arr-1', version: 3 });
  const entries = manager.getEntries();
  expect(entries.map(({ id, timestamp }) => [id, timestamp])).toEqual([
    ['a', new Date(AT).toISOString()],
    ['b', new Date(AT).toISOString()],
  ]);
  expect(manager.buildSessionContext().messages).toHaveLength(2);
  expect(() => manager.appendMessage({ role: 'user', content: 'x', timestamp: 1 })).toThrow(
    'coppice migrate --apply',
  );
  expect(await readFile(path, 'utf8')).toBe(JSON.stringify(ARRAY));
  await cp(path, join(dir, 'copy', 'arr-1.json'), { recursive: true });
  const copy = join(dir, 'copy', 'arr-1.json');
  await migrateSession(copy, { apply: true, findUnrest: () => undefined });
  const migrated = SessionManager.open(`${copy}l`, dir);
  expect(migrated.getEntries()).toEqual(entries);
});

it('lists a JSON array, until there is a session made of it', async () => {
  const list = async () => (await SessionManager.list('/p', dir)).map((one) => one.path);
  expect(await list()).toEqual([path]);
  await migrateSession(path, { apply: true, findUnrest: () => undefined });
  expect(await list()).toEqual([`${path}l`]);
  await writeFiles(dir, { 'arr-1.json': JSON.stringify(ARRAY) });
  expect(await list()).toEqual([`${path}l`]);
  await rm(`${path}l`);
  expect(await list()).toEqual([path]);
});
