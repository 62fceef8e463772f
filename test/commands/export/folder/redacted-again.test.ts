import { readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest } from '../../../memory-terminal.ts';
import { call, HEADER, result, toSession, user } from '../../../session-lines.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../../temp-dir.ts';

const KEY = ['ghp_', 'a8kd93jfls02mnvbq1xz7ytrewpo56uihgcd'].join('');
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let dir: string;

async function exportAs(...args: string[]): Promise<void> {
  await runTest(['export', '--store', 'in', '--out', 'out', ...args], { cwd: dir });
}

const listOut = async (): Promise<readonly string[]> =>
  (await readdir(join(dir, 'out'), { recursive: true })).toSorted();

async function writeSession(...entries: readonly object[]): Promise<void> {
  const [, ...lines] = toSession(entries);
  await writeFiles(dir, { 'in/a.jsonl': toJsonl([{ ...HEADER, cwd: `/x/${KEY}` }, ...lines]) });
}

/** Makes the record and the names of the files as versions before had them: of shorter hashes. */
async function makeOlder(recordVersion: number, record: string): Promise<void> {
  const path = join(dir, 'out', record);
  const older = (await readFile(path, 'utf8'))
    .replace(/"recordVersion":\d+/, `"recordVersion":${recordVersion}`)
    .replaceAll(/(:[\da-f]{16})[\da-f]{48}"/g, '$1"')
    .replaceAll(/(_[\da-f]{8})[\da-f]{8}(?=[_.])/g, '$1');
  await writeFile(path, older);
  for (const name of await listOut()) {
    const other = name.replace(/(_[\da-f]{8})[\da-f]{8}(?=[_.])/, '$1');
    if (name.endsWith('.md')) await rename(join(dir, 'out', name), join(dir, 'out', other));
  }
}

beforeEach(async () => {
  dir = await makeTempDir();
});

describe('--redact where an earlier export kept the secrets', () => {
  it('leaves no directory of images with the name of a secret', async () => {
    await writeSession(user([{ type: 'image', data: PNG, mimeType: 'image/png' }]));
    await exportAs('--images', 'extract');
    expect((await listOut()).join('\n')).toContain(KEY.slice(4));
    await exportAs('--images', 'extract', '--redact');
    expect((await listOut()).join('\n')).not.toContain(KEY.slice(4));
  });

  it.each([
    [[], ['--shard', '1/1']],
    [['--shard', '1/1'], []],
  ])('removes what a run with %j has named, in a run with %j', async (before, now) => {
    await writeSession(user('hi'));
    await exportAs(...before);
    expect((await listOut()).join('\n')).toContain(KEY.slice(4));
    await exportAs('--redact', ...now);
    expect((await listOut()).join('\n')).not.toContain(KEY.slice(4));
    expect((await listOut()).filter((name) => name.endsWith('.md'))).toHaveLength(1);
  });

  it.each([
    [2, [], []],
    [3, [], []],
    [99, [], []],
    [3, ['--shard', '1/1'], []],
    [3, [], ['--shard', '1/1']],
  ])('removes the files of a record of version %j, made with %j', async (version, before, now) => {
    await writeSession(user('hi'));
    await exportAs(...before);
    const record = (await listOut()).find((name) => name.startsWith('.coppice-export')) ?? '';
    await makeOlder(version, record);
    expect((await listOut()).join('\n')).toContain(KEY.slice(4));
    await exportAs('--redact', ...now);
    expect((await listOut()).join('\n')).not.toContain(KEY.slice(4));
    expect((await listOut()).filter((name) => name.endsWith('.md'))).toHaveLength(1);
    expect(await readFile(join(dir, 'out', record), 'utf8')).not.toContain(KEY.slice(4));
  });

  it('exports again what an earlier version has written under the same name', async () => {
    await writeSession(user(KEY));
    await exportAs();
    const record = join(dir, 'out/.coppice-export.json');
    const text = await readFile(record, 'utf8');
    const older = text.replace(/(:[\da-f]{16})[\da-f]{48}"/, '$1"');
    await writeFile(record, older.replace(/"recordVersion":\d+/, '"recordVersion":3'));
    await exportAs('--redact');
    const pages = (await listOut()).filter((name) => name.endsWith('.md'));
    expect(pages).toHaveLength(1);
    expect(await readFile(join(dir, 'out', pages[0] ?? ''), 'utf8')).not.toContain(KEY);
  });

  it('removes the rest where one cannot be removed, which the next run tries again', async () => {
    await writeSession(user([{ type: 'image', data: PNG, mimeType: 'image/png' }]));
    await exportAs('--images', 'extract');
    const names = async (): Promise<readonly string[]> =>
      (await listOut()).filter((name) => name.includes(KEY.slice(4)));
    const images = join(dir, 'out', (await names()).find((name) => name.endsWith('.images')) ?? '');
    await rename(images, join(dir, 'moved'));
    await symlink(join(dir, 'moved'), images);
    await exportAs('--redact');
    expect((await names()).filter((name) => name.endsWith('.md'))).toEqual([]);
    await rm(images);
    await rename(join(dir, 'moved'), images);
    expect(await names()).toHaveLength(2);
    await exportAs('--redact');
    expect(await names()).toEqual([]);
  });

  it('removes the file of a session that now holds nothing to export', async () => {
    await writeSession(call('c', 'bash', { command: KEY }), result('c', 'bash', KEY));
    await exportAs('--as', 'chat', '--no-redact');
    const isFile = (name: string): boolean => name.endsWith('.jsonl');
    const file = (await listOut()).find(isFile) ?? '';
    expect(await readFile(join(dir, 'out', file), 'utf8')).toContain(KEY);
    await exportAs('--as', 'chat', '--no-redact', '--no-tools');
    expect((await listOut()).filter(isFile)).toEqual([file]);
    await exportAs('--as', 'chat', '--no-tools');
    expect((await listOut()).filter(isFile)).toEqual([]);
  });
});
