import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { MEMORY } from '../harness/memory.ts';

/**
 * A new directory in memory that goes away with the test. A kill takes nothing from it that it would
 * not take from a disk, and a sync costs nothing.
 */
export async function makeMemoryDir(): Promise<string> {
  const dir = await realpath(await mkdtemp(join(MEMORY, 'coppice-torture-')));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}
