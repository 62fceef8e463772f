import { cp, readFile, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { readSession, SessionManager, validateSession } from '../../src/index.ts';
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
  await migrateSession(copy, { apply: true, findUse: () => undefined });
  const migrated = SessionManager.open(`${copy}l`, dir);
  expect(migrated.getEntries()).toEqual(entries);
});

it('lists a JSON array, until there is a session made of it', async () => {
  const list = async () => (await SessionManager.list('/p', dir)).map((one) => one.path);
  expect(await list()).toEqual([path]);
  await migrateSession(path, { apply: true, findUse: () => undefined });
  expect(await list()).toEqual([`${path}l`]);
  await writeFiles(dir, { 'arr-1.json': JSON.stringify(ARRAY) });
  expect(await list()).toEqual([`${path}l`]);
  await rm(`${path}l`);
  expect(await list()).toEqual([path]);
});

const toIso = (time = Number.NaN): string => new Date(time).toISOString();

const MESSAGES = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: [{ type: 'toolCall', id: 't', name: 'read', arguments: {} }] },
  { role: 'toolResult', toolCallId: 't', content: 'text' },
  { role: 'assistant', content: 'Yo', usage: { input: 1, output: 2 } },
];

it.each([
  { name: 'of the header', header: AT, times: [], expected: [AT, AT, AT, AT, AT] },
  {
    name: 'of the first entry that has one, and of the entry before',
    times: [undefined, AT + 1, undefined, AT + 3],
    expected: [AT + 1, AT + 1, AT + 1, AT + 1, AT + 3],
  },
  {
    name: 'of the last change of the file, where no line has one',
    times: [],
    expected: [AT + 9, AT + 9, AT + 9, AT + 9, AT + 9],
  },
])('migrates an array without times to the time $name', async ({ header, times, expected }) => {
  const array = [
    { type: 'session', id: 'arr-1', timestamp: header, cwd: '/p' },
    ...MESSAGES.map((message, at) => {
      const parentId = at === 0 ? null : `e${at - 1}`;
      return { type: 'message', id: `e${at}`, parentId, timestamp: times[at], message };
    }),
  ];
  await writeFiles(dir, { 'arr-1.json': JSON.stringify(array) });
  await utimes(path, (AT + 9) / 1000, (AT + 9) / 1000);

  const read = await readSession(path);
  expect(read?.session.entries.map(({ time }) => time)).toEqual(expected.slice(1));
  expect(read?.session.header?.timestamp).toBe(toIso(expected[0]));
  await migrateSession(path, { apply: true, findUse: () => undefined });

  const lines = (await readFile(`${path}l`, 'utf8')).trimEnd().split('\n');
  const written = lines.map((line) => /"timestamp":"([^"]+)"/.exec(line)?.[1]);
  expect(written).toEqual(expected.map((time) => toIso(time)));
  expect((await validateSession(`${path}l`))?.findings).toEqual([]);
});
