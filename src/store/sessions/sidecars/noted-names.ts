import { join } from 'node:path';
import { listEntriesSync } from '../../../session/jsonl/files/list-directory.ts';
import type { NotePlace } from '../../../session/model/sidecar.ts';
import { readStart } from '../../files/read-regular-file.ts';

/**
 * Lists the names, relative to the root and in small letters, that notes there hold.
 * @throws FileError when one of them cannot be read.
 */
export async function listNotedNames(
  root: string,
  { directory, file }: NotePlace,
): Promise<ReadonlySet<string>> {
  const noted = new Set<string>();
  const homes = listEntriesSync(join(root, directory)).filter((entry) => entry.isDirectory());
  for (const { name } of homes) {
    const text = await readStart(join(root, directory, name, file));
    noted.add(`${directory}/${text.trim().toLowerCase()}`);
  }
  return noted;
}
