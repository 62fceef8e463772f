import { lstat, readdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import {
  openArchive,
  writeMember,
  type WrittenMember,
} from '../../../src/store/archive/member/write-member.ts';
import { usualSidecars } from '../../../src/session/dialect/surroundings/sidecars.ts';
import { readSessionFiles } from '../../../src/store/sessions/session-files.ts';
import { sampleSession } from '../../sample-session.ts';
import { writeFiles } from '../../temp-dir.ts';

export const NOW = Date.parse('2127-01-15T12:00:00.000Z');

/** A store with one session that has a folder, images and a `.rejected` file; with odd modes and times. */
export async function makeStore(store: string): Promise<string> {
  await writeFiles(store, {
    'proj/a.jsonl': sampleSession({ id: 'session-a' }),
    'proj/a.jsonl.rejected': 'not json\n',
    'proj/a/images/1.png': Buffer.from([0, 255, 10, 13, 0]),
    'proj/a/empty/.keep': '',
    'proj/a/2.png': 'image',
    'proj/ab.jsonl': sampleSession({ id: 'neighbour' }),
    'proj/a.jsonl.bak': 'a neighbour too',
  });
  const times = ['proj/a.jsonl', 'proj/a/images/1.png', 'proj/a/images', 'proj/a'];
  for (const [index, name] of times.entries()) {
    const seconds = 1_700_000_000.123_457 + index;
    await utimes(join(store, name), seconds, seconds);
  }
  return join(store, 'proj', 'a.jsonl');
}

export async function archiveOne(
  directory: string,
  path: string,
  store: string,
): Promise<WrittenMember> {
  await openArchive(directory, NOW);
  const facts = {
    agent: 'pi',
    id: 'session-a',
    cwd: '/home/dev',
    title: 'Hi',
    lastActive: '2026-03-02T09:30:02.000Z',
    store,
  };
  return writeMember(directory, await readSessionFiles(path, usualSidecars), facts, NOW);
}

/** Everything below a directory: bytes, mode, and mtime to the microsecond. */
export async function snapshot(root: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of (await readdir(root, { recursive: true })).toSorted()) {
    const path = join(root, name);
    const { mode, mtimeNs } = await lstat(path, { bigint: true });
    const isFile = (await lstat(path)).isFile();
    const content = isFile ? (await readFile(path)).toString('base64') : 'directory';
    found[name] = `${(mode & 0o7777n).toString(8)} ${(mtimeNs + 500n) / 1000n} ${content}`;
  }
  return found;
}
