import { basename } from 'node:path';

/** Logs of sub-agents and images that were taken out of a session, some of a kind that no ending is known of. */
const USUAL_FILE = /\.(?:jsonl|png|jpe?g|gif|webp)$|^[\da-f]{64}\.bin$/i;

/** Files that Finder, Explorer and KDE leave in a directory that somebody has looked into. */
const SYSTEM_FILE = /^(?:\.DS_Store|\._.*|Thumbs\.db|desktop\.ini|\.directory)$/i;

/** Returns whether sessions of every agent may have such files in their folders. */
export function isUsualFile(name: string): boolean {
  return USUAL_FILE.test(basename(name)) || SYSTEM_FILE.test(basename(name));
}
