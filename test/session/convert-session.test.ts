import { appendFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { convertSession, type ConvertOptions } from '../../src/session/convert-session.ts';
import { getDialect } from '../../src/session/dialects.ts';
import { makeTempDir, writeFiles } from '../temp-dir.ts';
import { buildHealthy, SESSION_ID, toText } from './neovate/healthy-session.ts';

let dir: string;
let path: string;

beforeEach(async () => {
  dir = await makeTempDir();
  path = join(dir, `${SESSION_ID}.jsonl`);
  await writeFile(path, toText(buildHealthy()));
});

function convert(options: Partial<ConvertOptions> = {}) {
  return convertSession(path, {
    to: getDialect('pi'),
    cwd: '/srv/app',
    parentPath: null,
    fallbackCwd: '/',
    findPath: ({ id }) => Promise.resolve(join(dir, 'made', `${id}.jsonl`)),
    apply: true,
    signal: new AbortController().signal,
    ...options,
  });
}

describe('convertSession', () => {
  it('makes a file that is not there, and then leaves it', async () => {
    expect(await convert({ apply: false })).toMatchObject({ action: 'migrate' });
    expect(await readdir(dir)).toEqual([`${SESSION_ID}.jsonl`]);
    const newPath = join(dir, 'made', `${SESSION_ID}.jsonl`);
    expect(await convert()).toMatchObject({ action: 'migrate', newPath, toVersion: 3 });
    expect(await convert()).toMatchObject({
      action: 'unchanged',
      reasons: [`was migrated to ${newPath}`],
      newPath: null,
    });
  });

  it('skips a session that changes meanwhile, and leaves nothing behind', async () => {
    const findPath = async (): Promise<string> => {
      await appendFile(path, toText([{ type: 'custom-title', customTitle: 'New' }]));
      return join(dir, 'made', 'x.jsonl');
    };
    expect(await convert({ findPath })).toMatchObject({ action: 'skip', newPath: null });
    expect(await readdir(join(dir, 'made'))).toEqual([]);
  });

  it('names no parent that the agent would not open', async () => {
    const parentPath = join(dir, 'parent.jsonl');
    await writeFiles(dir, { 'parent.jsonl': `${toText(buildHealthy())}{"torn` });
    const paths: string[] = [];
    const findPath = ({ id }: { readonly id: string }): Promise<string> => {
      paths.push(id);
      return Promise.resolve(join(dir, `made-${id}`));
    };
    await convert({ parentPath, findPath });
    expect(paths).toEqual([SESSION_ID]);
  });

  it('leaves sessions that are of the agent already, and those that are none', async () => {
    await writeFiles(dir, { 'a.json': '[{"type":"session","id":"a","cwd":"/"}]', 'b.jsonl': '{}' });
    path = join(dir, 'a.json');
    const reasons = ['is of pi already'];
    expect(await convert()).toMatchObject({ action: 'unchanged', reasons, fromVersion: 0 });
    path = join(dir, 'b.jsonl');
    await expect(convert()).rejects.toThrow('is no session');
  });

  it('says so where an agent can take no sessions of another', async () => {
    await writeFiles(dir, { 'a.jsonl': '{"type":"session","version":3,"id":"a","cwd":"/"}\n' });
    path = join(dir, 'a.jsonl');
    expect(await convert({ to: getDialect('neovate') })).toMatchObject({
      action: 'unchanged',
      reasons: ['sessions of pi cannot become ones of neovate'],
    });
  });
});
