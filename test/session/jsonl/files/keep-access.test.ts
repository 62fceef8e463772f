import { closeSync, fstatSync, mkdirSync, openSync, statSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it, vi } from 'vitest';
import { fileExists } from '../../../../src/session/jsonl/read/read-lines.ts';
import { keepAccess, parsePlain } from '../../../../src/session/jsonl/files/keep-access.ts';
import { getFactsSync } from '../../../../src/session/jsonl/files/sync-calls.ts';
import { makeTempDir } from '../../../temp-dir.ts';

afterEach(() => vi.unstubAllEnvs());

it('asks once for a directory which of its files have an access control list', async () => {
  const dir = await makeTempDir();
  const tools = join(dir, 'tools');
  mkdirSync(tools);
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    const [from, to] = [join(directory, 'ls'), join(tools, 'ls')];
    if ((await fileExists(from)) && !(await fileExists(to))) symlinkSync(from, to);
  }
  // A file that has been there for a while.
  const from = fileURLToPath(new URL('../../../../package.json', import.meta.url));
  const keep = (name: string): [boolean, number] => {
    const path = join(dir, name);
    const fd = openSync(path, 'ax', 0o600);
    const { uid, gid } = fstatSync(fd);
    const source = { ...getFactsSync(from), uid, gid, mode: 0o100_644 };
    const isKept = keepAccess(from, source, { path, fd });
    closeSync(fd);
    return [isKept, statSync(path).mode & 0o777];
  };
  // Where programs cannot be started for a moment, that is asked again.
  vi.stubEnv('PATH', dir);
  expect(keep('none')).toEqual([false, 0o600]);
  vi.stubEnv('PATH', tools);
  expect(keep('one')).toEqual([true, 0o644]);
  vi.stubEnv('PATH', dir);
  expect(keep('two')).toEqual([true, 0o644]);
});

it('knows a list of macOS by its entries, since attributes hide its mark', () => {
  const output = [
    '41 -rw-r--r--  1 501  20  12 Nov 30 10:00 plain.jsonl',
    '42 -rw-r--r--@ 1 501  20  12 Nov 30 10:00 attributes.jsonl',
    '43 -rw-r--r--@ 1 501  20  12 Nov 30 10:00 both.jsonl',
    ' 0: user:bob allow read',
    '44 -rw-r--r--+ 1 501  20  12 Nov 30 10:00 list.jsonl',
    ' 0: group:everyone deny delete',
    ' 1: user:bob allow read',
    '45 -rw-r--r--  1 501  20  12 Nov 30 10:00 last\\nline.jsonl',
  ];
  expect(parsePlain(output.join('\n'), 'darwin')).toEqual(['41', '42', '45']);
});

it.each([
  ['', ['7']],
  ['.', ['7']],
  ['+', []],
  ['@', []],
])('takes the mark %j of Linux for a list unless it is that of a label', (mark, plain) => {
  const row = `7 -rw-r--r--${mark} 1 1000 1000 12 Nov 30 10:00 a.jsonl`;
  expect(parsePlain(`${row}\n`, 'linux')).toEqual(plain);
});
