import { join } from 'node:path';
import { listEntries } from '../../jsonl/files/list-directory.ts';

/**
 * Lists the directories of all projects, in that of an agent's projects. A fork in another project names images by the
 * folder of its source only, which is in any of them.
 * @throws FileError if they cannot be listed.
 */
export function listProjectHomes(projects: string): readonly string[] {
  const directories = listEntries(projects).filter((entry) => !entry.isFile());
  return directories.map(({ name }) => join(projects, name));
}
