import { getPromptsPath } from '../../../session/dialect/surroundings/history.ts';
import { isBelow } from '../../../session/model/paths.ts';
import { getFolderPath } from '../../../session/model/sidecar.ts';
import type { Owner } from './prompt-list.ts';

/** Makes a test of whether a path is of one of some sessions: its file, its prompts that wait, or what is in its folder. */
export function createFileTest(owners: readonly Pick<Owner, 'path'>[]): (path: string) => boolean {
  const files = new Set(owners.flatMap(({ path }) => [path, getPromptsPath(path)]));
  const folders = owners.flatMap(({ path }) => getFolderPath(path) ?? []);
  return (path) => files.has(path) || folders.some((folder) => isBelow(path, folder));
}
