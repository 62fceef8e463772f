import { basename, dirname, join } from 'node:path';
import { toProjectDirectoryName } from './project-directory.ts';

/** `<sessions root>/--<cwd>--`, flat in a custom directory. */
const PROJECT_DIRECTORY = /^--.*--$/;

/** Makes the name that pi gives the file of a session that starts at `timestamp` (ISO 8601). */
export function toSessionFileName(timestamp: string, id: string): string {
  return `${timestamp.replace(/[:.]/g, '-')}_${id}.jsonl`;
}

/**
 * Finds the directory for a session of another working directory whose source is at `path`: that of the other
 * project beside the source's, or the same if sessions of all projects share one.
 */
export function findSiblingDirectory(path: string, cwd: string): string {
  const directory = dirname(path);
  if (!PROJECT_DIRECTORY.test(basename(directory))) return directory;
  return join(dirname(directory), toProjectDirectoryName(cwd));
}
