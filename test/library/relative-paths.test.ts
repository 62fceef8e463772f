import { readFileSync, utimesSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  compactSession,
  exportSession,
  forkSession,
  migrateSession,
  planCompaction,
  readContext,
  readSession,
  reduceSession,
  summarizeSession,
  validateSession,
} from '../../src/index.ts';
import { assistant, toSession, user } from '../session-lines.ts';
import { makeTempDir, toJsonl, writeFiles } from '../temp-dir.ts';

/** Without the functions that some results hold. */
const toData = (found: unknown): unknown => JSON.parse(JSON.stringify(found));

let path: string;
let toIt: string;

beforeEach(async () => {
  const dir = await makeTempDir();
  await writeFiles(dir, { 's.jsonl': toJsonl(toSession([user('Fix it.'), assistant('Done.')])) });
  path = join(dir, 's.jsonl');
  toIt = relative(process.cwd(), path);
  utimesSync(path, 1.76e9, 1.76e9);
});

describe('a session is the same by a relative path', () => {
  it.each([
    ['readSession', readSession],
    ['readContext', readContext],
    ['summarizeSession', summarizeSession],
    ['validateSession', validateSession],
    ['exportSession', exportSession],
    ['planCompaction', planCompaction],
  ] as const)('for %s', async (_, read) => {
    expect(toData(await read(toIt))).toEqual(toData(await read(path)));
  });

  it.each([
    ['migrateSession', migrateSession],
    ['compactSession', compactSession],
    ['reduceSession', reduceSession],
  ] as const)(
    'for %s, which does not say that its agent reaches it by another one',
    async (_, change) => {
      expect(await change(toIt)).toEqual(await change(path));
      expect(await change(toIt)).toMatchObject({ path, action: 'unchanged' });
    },
  );

  it('for forkSession, whose fork names its parent and its directory by whole paths', async () => {
    const directory = join(dirname(toIt), 'forks');
    const [fork] = await forkSession(toIt, { cwd: `${dirname(toIt)}/api/`, directory });
    expect(fork).toMatchObject({ source: path });
    expect(dirname(fork?.path ?? '')).toBe(join(dirname(path), 'forks'));
    const [header = ''] = readFileSync(fork?.path ?? '', 'utf8').split('\n');
    expect(JSON.parse(header)).toMatchObject({
      parentSession: path,
      cwd: join(dirname(path), 'api'),
    });
  });
});
