import type { StartFinder } from '../dialect/migration.ts';
import { readElements } from '../jsonl/read/read-elements.ts';

/** The first time in a file that is one JSON array, or else that of its last change; milliseconds. */
export function findStartTime(path: string, finder: StartFinder): number {
  const { stamp } = readElements(path, finder.visit);
  return Number.isNaN(finder.time) ? stamp.mtimeMs : finder.time;
}
