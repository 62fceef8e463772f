import { basename } from 'node:path';

/** Logs of sub-agents and images that were taken out of a session, some of a kind that no ending is known of. */
const USUAL_FILE = /\.(?:jsonl|png|jpe?g|gif|webp)$|^[\da-f]{64}\.bin$/i;

/** Files that Finder, Explorer and KDE leave in a directory that somebody has looked into. */
const SYSTEM_FILE = /^(?:\.DS_Store|\._.*|Thumbs\.db|desktop\.ini|\.directory)$/i;

/** Returns whether sessions of every agent may have such files in their folders. */
export function isUsualFile(name: string): boolean {
  return USUAL_FILE.test(basename(name)) || SYSTEM_FILE.test(basename(name));
}

/**
 * Returns whether the folder that is named after a session file is surely its own: the agent has named the
 * file, or nothing else is in the folder than sessions have there. `work.jsonl`, exported beside the
 * directory `work`, does not own that.
 */
export function isOwnFolder(isMade: boolean, listInside: () => readonly string[]): boolean {
  return isMade || listInside().every(isUsualFile);
}
