import { appendFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
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

it('leaves no second file where the first has changed meanwhile', async () => {
  const directory = await makeTempDir();
  const path = join(directory, 'rollout.jsonl.zst');
  const made = join(directory, 'rollout.jsonl');
  writeFileSync(path, toZstd(Buffer.alloc(3_000_000, '{"a":1}\n')));
  const signal = actOnce(
    () => existsSync(made),
    () => appendFileSync(path, toZstd(Buffer.from('{"b":2}\n'))),
  );
  await expect(unpackFile(path, { apply: true, signal })).rejects.toMatchObject({
    code: 'ECHANGED',
  });
  expect(readdirSync(dirname(path))).toEqual([basename(path)]);
});
