import { linkSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  isSameState,
  toFacts,
  toStamp,
  isOtherFile,
} from '../../../../../src/session/jsonl/files/identity/file-stamp.ts';
import {
  isOneFile,
  leadToOneFile,
} from '../../../../../src/session/jsonl/files/identity/same-file.ts';
import { refuseLastLink } from '../../../../../src/session/jsonl/files/system.ts';
import { makeTempDir, writeFiles } from '../../../../temp-dir.ts';

/** The state of a real file, as a file system would give it whose numbers are these. */
function stampAs(path: string, ino: bigint) {
  return toStamp(Object.assign(statSync(path, { bigint: true }), { ino }));
}

describe('files whose numbers have more than 53 bits', () => {
  it('are told apart, where a JavaScript number is the same for both', async () => {
    const path = join(await makeTempDir(), 'a');
    await writeFiles(path, { a: '' });
    const [one, next] = [2n ** 60n, 2n ** 60n + 1n];
    expect(Number(one)).toBe(Number(next));
    expect(isOneFile(stampAs(path, one), stampAs(path, one))).toBe(true);
    expect(isOneFile(stampAs(path, one), stampAs(path, next))).toBe(false);
    expect(isSameState(stampAs(path, one), stampAs(path, one))).toBe(true);
    expect(isSameState(stampAs(path, one), stampAs(path, next))).toBe(false);
  });

  it.each([0n, -1n, 2n ** 64n - 1n])(
    'and those that have none (%s) are never certainly one file, but may be in the same state',
    async (ino) => {
      const path = await makeTempDir();
      const stamp = stampAs(path, ino);
      expect(isOneFile(stamp, stamp)).toBe(false);
      expect(await isOtherFile(path, stamp)).toBe(true);
      expect(isSameState(stamp, stamp)).toBe(true);
      expect(isSameState(stamp, { ...stamp, size: stamp.size + 1 })).toBe(false);
    },
  );
});

it('two names of one file lead to one, two files with the same bytes do not', async () => {
  const dir = await makeTempDir();
  await writeFiles(dir, { one: 'x', other: 'x' });
  linkSync(join(dir, 'one'), join(dir, 'second'));
  expect(await leadToOneFile(join(dir, 'one'), join(dir, 'second'))).toBe(true);
  expect(await leadToOneFile(join(dir, 'one'), join(dir, 'other'))).toBe(false);
});

it.each([1_600_000_000.123_456, 0.000_001, -1_000_000.25])(
  'facts of a file are what Node says of it (%d s)',
  async (seconds) => {
    const path = await makeTempDir();
    utimesSync(path, String(seconds), String(seconds));
    const { size, mode, mtimeMs, atimeMs, ctimeMs, nlink, uid, gid } = statSync(path);
    const found = toFacts(statSync(path, { bigint: true }));
    expect(found).toMatchObject({ size, mode, ctimeMs, links: nlink, uid, gid });
    expect([found.mtimeMs, found.atimeMs]).toEqual([mtimeMs, atimeMs]);
  },
);

it('a link in the last name is refused also where the system has no flag for it', async () => {
  const dir = await makeTempDir();
  await writeFiles(dir, { file: '' });
  symlinkSync(join(dir, 'file'), join(dir, 'link'));
  const windows = { noFollow: undefined };
  expect(refuseLastLink(join(dir, 'file'), windows)).toBe(0);
  expect(refuseLastLink(join(dir, 'nothing'), windows)).toBe(0);
  const refused = expect.objectContaining({ code: 'ELOOP' });
  expect(() => refuseLastLink(join(dir, 'link'), windows)).toThrow(refused);
});
