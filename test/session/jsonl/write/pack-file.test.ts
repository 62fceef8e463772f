import {
  appendFileSync,
  existsSync,
  readdirSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { unpackFile } from '../../../../src/session/jsonl/write/pack-file.ts';
import { makeTempDir } from '../../../temp-dir.ts';
import { toZstd } from '../../../zstd-frames.ts';

/** Acts once, at the first question whether the run was stopped for which the moment has come. */
function actOnce(isTime: () => boolean, act: () => void): AbortSignal {
  let isDone = false;
  const look = (): boolean => {
    if (!isDone && isTime()) {
      isDone = true;
      act();
    }
    return false;
  };
  const { signal } = new AbortController();
  Object.defineProperties(signal, { aborted: { get: look }, throwIfAborted: { value: look } });
  return signal;
}

/** A compressed file, and the path of the plain one that is made of it. */
async function makePacked() {
  const directory = await makeTempDir();
  const made = join(directory, 'rollout.jsonl');
  const path = `${made}.zst`;
  writeFileSync(path, toZstd(Buffer.alloc(3_000_000, '{"a":1}\n')));
  return { directory, path, made };
}

it('leaves no second file where the first has changed meanwhile', async () => {
  const { directory, path, made } = await makePacked();
  const signal = actOnce(
    () => existsSync(made),
    () => appendFileSync(path, toZstd(Buffer.from('{"b":2}\n'))),
  );
  await expect(unpackFile(path, { apply: true, signal })).rejects.toMatchObject({
    code: 'ECHANGED',
  });
  expect(readdirSync(directory)).toEqual([basename(path)]);
});

it('keeps the only file where another run has removed the first meanwhile', async () => {
  const { directory, path, made } = await makePacked();
  const signal = actOnce(
    () => existsSync(made),
    () => unlinkSync(path),
  );
  expect(await unpackFile(path, { apply: true, signal })).toMatchObject({ path: made });
  expect(readdirSync(directory)).toEqual([basename(made)]);
});

it('refuses a file that could not be set aside before it makes the other one', async () => {
  const { directory, path } = await makePacked();
  const long = join(directory, `${'n'.repeat(200)}.jsonl.zst`);
  renameSync(path, long);
  await expect(unpackFile(long, { apply: true })).rejects.toMatchObject({ code: 'ENAMETOOLONG' });
  expect(readdirSync(directory)).toEqual([basename(long)]);
});

it.each([true, false])('tells of another file beside it, applied: %s', async (apply) => {
  const { directory, path, made } = await makePacked();
  writeFileSync(made, 'other\n');
  await expect(unpackFile(path, { apply })).rejects.toMatchObject({ code: 'EEXIST' });
  expect(readdirSync(directory).toSorted()).toEqual([basename(made), basename(path)]);
});
