import { dirname, join } from 'node:path';
import type { LivenessDialect } from '../../../dialect/surroundings/liveness.ts';
import { parseName } from '../format.ts';
import { findHome, STORES, toDayDirectory } from './home.ts';
import { listCodexHomes } from './default-stores.ts';
import { listSharers } from './sharers.ts';

/**
 * Codex since 0.148 locks `thread-writer-locks/<thread id>.lock` while it has a thread loaded. It
 * removes the file when it ends, and leaves it, unlocked, when it is killed. All files of a thread have
 * the one lock.
 */
export const liveness: LivenessDialect = {
  findHome,
  listHomes: listCodexHomes,
  listSharers,
  stores: STORES,
  listDirectories(path) {
    const name = parseName(path);
    if (!name) return [];
    const day = toDayDirectory(name.start);
    return [day, dirname(day), dirname(dirname(day))];
  },
  findLock(home, path) {
    const name = parseName(path);
    if (!name) return undefined;
    return {
      directory: join(home, 'thread-writer-locks'),
      name: `${name.threadId}.lock`,
      coordinator: '.coordination.lock',
    };
  },
};
