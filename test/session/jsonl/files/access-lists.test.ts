import { chmodSync, lstatSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it, vi } from 'vitest';
import { findPlain, parsePlain } from '../../../../src/session/jsonl/files/access-lists.ts';
import { toStamp } from '../../../../src/session/jsonl/files/identity/file-stamp.ts';
import { makeTempDir, writeFiles } from '../../../temp-dir.ts';
import { makeToolsWith } from './tools.ts';

afterEach(() => vi.unstubAllEnvs());

function look(path: string) {
  return { path, ...toStamp(lstatSync(path, { bigint: true })) };
}

/** Files that have been there for a while. */
const lookAtOld = (name: string) =>
  look(fileURLToPath(new URL(`../../../../${name}`, import.meta.url)));
const [FIRST, SECOND, THIRD] = [
  lookAtOld('package.json'),
  lookAtOld('tsconfig.json'),
  lookAtOld('README.md'),
];

it('lists a directory of which files were asked about before', async () => {
  const [tools, nothing] = [await makeToolsWith('ls'), await makeTempDir()];
  vi.stubEnv('PATH', tools);
  expect(findPlain([FIRST, SECOND])).toEqual(new Set([FIRST.ino, SECOND.ino]));
  vi.stubEnv('PATH', nothing);
  expect(findPlain([THIRD])).toEqual(new Set());
  vi.stubEnv('PATH', tools);
  expect(findPlain([THIRD])).toEqual(new Set([THIRD.ino]));
  vi.stubEnv('PATH', nothing);
  expect(findPlain([FIRST, SECOND])).toEqual(new Set([FIRST.ino, SECOND.ino]));
  // One that has changed since is asked about again.
  expect(findPlain([{ ...THIRD, ctimeMs: THIRD.ctimeMs + 1 }])).toEqual(new Set());
});

it('asks about each file that has changed just now', async () => {
  const dir = await makeTempDir();
  await writeFiles(dir, { a: '', b: '', c: '' });
  const files = ['a', 'b', 'c'].map((name) => look(`${dir}/${name}`));
  for (const one of files) expect(findPlain([one])).toEqual(new Set([one.ino]));
  chmodSync(`${dir}/a`, 0o640);
  vi.stubEnv('PATH', dir);
  expect(findPlain(files)).toEqual(new Set());
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
