import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** A directory in memory, where there is such a place. */
export const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
