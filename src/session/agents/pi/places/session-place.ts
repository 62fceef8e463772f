import { basename, dirname, join } from 'node:path';
import { toProjectDirectoryName } from './project-directory.ts';

/** `<sessions root>/--<cwd>--`, flat in a custom directory. */
const PROJECT_DIRECTORY = /^--.*--$/;

/** What pi calls the file of a session that starts at `timestamp` (ISO 8601). */
export function toSessionFileName(timestamp: string, id: string): string {
  return `${timestamp.replace(/[:.]/g, '-')}_${id}.jsonl`;
}

/**
 * Where a session for another working directory goes when its source is at `path`: the directory
 * of that project beside the source's, or the same where sessions of all projects lie together.
 */
export function findSiblingDirectory(path: string, cwd: string): string {
  const directory = dirname(path);
  if (!PROJECT_DIRECTORY.test(basename(directory))) return directory;
  return join(dirname(directory), toProjectDirectoryName(cwd));
}
