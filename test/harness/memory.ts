import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const SHARED = '/dev/shm';
/** In bytes; containers may give it 64 MB only. */
const ENOUGH = 2 ** 30;

/** A directory in memory, where there is such a place with room: files are flushed there at no cost. */
export const MEMORY = existsSync(SHARED) && hasRoom(SHARED) ? SHARED : tmpdir();

function hasRoom(path: string): boolean {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize >= ENOUGH;
}
