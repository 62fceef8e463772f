import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getOwnPlace, toPlace } from '../../../../src/session/jsonl/files/process-place.ts';
import {
  createTempFile,
  removeStaleTempFiles,
} from '../../../../src/session/jsonl/files/temp-file.ts';
import { makeTempDir } from '../../../temp-dir.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const RANDOM = '0123456789ab';

function getDeadPid(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

/** When a file or directory was last changed, by the clock of its disk. */
const getTime = (path: string): number => statSync(path).ctimeMs;

describe('removeStaleTempFiles', () => {
  it('removes what a run that is gone has left, and nothing else', async () => {
    const dir = await makeTempDir();
    const dead = `.s.jsonl.${getDeadPid()}@${getOwnPlace()}.${RANDOM}.coppice-tmp`;
    const elsewhere = `.s.jsonl.1@elsewhere.${RANDOM}.coppice-tmp`;
    const living = `.s.jsonl.${process.ppid}@${getOwnPlace()}.${RANDOM}.coppice-tmp`;
    const foreign = ['s.jsonl', '.s.jsonl.tmp', `s.1@${getOwnPlace()}.${RANDOM}.coppice-tmp`];
    for (const name of [dead, elsewhere, living, ...foreign]) writeFileSync(join(dir, name), '');
    await removeStaleTempFiles(dir, getTime(dir));
    expect(readdirSync(dir).toSorted()).toEqual([elsewhere, living, ...foreign].toSorted());
  });

  it('passes over a directory of such a name', async () => {
    const dir = await makeTempDir();
    mkdirSync(join(dir, `.x.999999@${getOwnPlace()}.${RANDOM}.coppice-tmp`));
    await removeStaleTempFiles(dir, getTime(dir) + 2 * DAY_MS);
    expect(readdirSync(dir)).toHaveLength(1);
  });

  it('leaves the files of its own run', async () => {
    const dir = await makeTempDir();
    const temp = await createTempFile(join(dir, 's.jsonl'));
    await temp.file.close();
    await removeStaleTempFiles(dir, getTime(dir));
    expect(readdirSync(dir)).toHaveLength(1);
  });

  it('removes those of another machine after a day', async () => {
    const dir = await makeTempDir();
    const path = join(dir, `.s.jsonl.1@elsewhere.${RANDOM}.coppice-tmp`);
    writeFileSync(path, '');
    await removeStaleTempFiles(dir, getTime(path) + DAY_MS);
    expect(readdirSync(dir)).toHaveLength(1);
    await removeStaleTempFiles(dir, getTime(path) + DAY_MS + 1);
    expect(readdirSync(dir)).toEqual([]);
  });

  it.each([
    ['another machine of this name', { boot: 'other' }],
    ['another container of this machine', { namespace: 'pid:[2]' }],
    ['another machine', { host: 'other' }],
  ])('keeps those of %s, where a process id is another process', async (_what, facts) => {
    const dir = await makeTempDir();
    const place = toPlace({ host: 'host', boot: 'boot', namespace: 'pid:[1]', ...facts });
    expect(place).not.toBe(toPlace({ host: 'host', boot: 'boot', namespace: 'pid:[1]' }));
    writeFileSync(join(dir, `.s.jsonl.${getDeadPid()}@${place}.${RANDOM}.coppice-tmp`), '');
    await removeStaleTempFiles(dir, getTime(dir));
    expect(readdirSync(dir)).toHaveLength(1);
  });

  it('has nothing to do in a directory that is none', async () => {
    const dir = await makeTempDir();
    await expect(removeStaleTempFiles(join(dir, 'none'), 0)).resolves.toBeUndefined();
    writeFileSync(join(dir, 'file'), '');
    await expect(removeStaleTempFiles(join(dir, 'file'), 0)).resolves.toBeUndefined();
  });
});
