import { expect, it } from 'vitest';
import { isPacked } from '../../../src/store/files/list-all.ts';

it.each([
  'x.jsonl.gz',
  'x.jsonl.zst',
  'x.tgz',
  'x.tbz2',
  'x.tar.bz2',
  'x.txz',
  'x.TZST',
  'x.tar.Z',
  'x.tar.lz4',
  'x.tlz',
  'x.tar.lzma',
  'x.7z.001',
  'x.tar.gz.aa',
  'x.zip~',
  'x.zip.old',
  'x.tar.age',
  'x.tar.gz.gpg',
])('takes a file for compressed or encrypted by its name: %s', (name) => {
  expect(isPacked(name)).toBe(true);
});

it.each(['x.jsonl', 'x.json', 'gz', 'x.gzip.md', 'x.zig', 'x.tar', 'x.gz.jsonl', '.DS_Store'])(
  'takes no other for it: %s',
  (name) => {
    expect(isPacked(name)).toBe(false);
  },
);
