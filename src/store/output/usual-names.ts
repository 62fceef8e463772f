import { basename } from 'node:path';

/** Logs of sub-agents and images that were taken out of a session, some of a kind that no ending is known of. */
const USUAL_FILE = /\.(?:jsonl|png|jpe?g|gif|webp)$|^[\da-f]{64}\.bin$/i;

/** Files that Finder, Explorer and KDE leave in a directory that somebody has looked into. */
const SYSTEM_FILE = /^(?:\.DS_Store|\._.*|Thumbs\.db|desktop\.ini|\.directory)$/i;

/** Returns whether sessions of every agent may have such files in their folders. */
export function isUsualFile(name: string): boolean {
  return USUAL_FILE.test(basename(name)) || SYSTEM_FILE.test(basename(name));
}

/** The name of a session file as agents give it: with its start, or with an id of a form that no person types. */
const SESSION_FILE =
  /(?:^\d{4}-\d\d-\d\dT[\d-]+Z?_[^/]+|^[\da-f]{8}|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})\.jsonl$/i;

/** Returns whether a folder that a person named may have such a file for the sake of its session. */
function isUsualInside(name: string): boolean {
  return isUsualFile(name) && !SESSION_FILE.test(basename(name));
}

/**
 * Returns whether the folder that is named after a session file is surely its own: the agent has named the
 * file, or nothing else is in the folder than sessions have there. `work.jsonl`, exported beside the
 * directory `work`, does not own that; nor does a file own a directory in which an agent keeps sessions.
 */
export function isOwnFolder(isMade: boolean, listInside: () => readonly string[]): boolean {
  return isMade || listInside().every(isUsualInside);
}
