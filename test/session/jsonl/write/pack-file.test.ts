import { appendFileSync, existsSync, readdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { removeTwin, unpackFile } from '../../../../src/session/jsonl/write/pack-file.ts';
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

it('removes neither of two files that two runs remove for each other', async () => {
  const directory = await makeTempDir();
  const path = join(directory, 'rollout.jsonl');
  const other = `${path}.zst`;
  writeFileSync(path, 'x');
  expect([removeTwin(path, other), readdirSync(directory)]).toEqual([false, [basename(path)]]);
  writeFileSync(other, 'x');
  expect([removeTwin(path, other), readdirSync(directory)]).toEqual([true, [basename(other)]]);
  expect(removeTwin(path, other)).toBe(true);
});
