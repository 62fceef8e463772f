import { extname } from 'node:path';
import { getPromptsPath } from '../dialect/surroundings/history.ts';
import { isCompressed } from '../jsonl/zstd/is-compressed.ts';
import { isSessionName } from '../model/session-names.ts';
import { getRejectedPath } from '../model/sidecar.ts';

/** The endings of the files that `validate --fix` and `prune` put beside a session. */
const BESIDE = new Set([getRejectedPath(''), getPromptsPath('')]);

/**
 * Finds the fault of a suffix for the old file of a session: a copy would be listed as a second session, or be written
 * to. Undefined if there is none.
 */
export function findSuffixFault(suffix: string): string | undefined {
  if (!/^[.\-_~]/.test(suffix) || /[/\\]/.test(suffix)) {
    return 'expected a suffix like .v1, which begins with . - _ or ~ and has no slash';
  }
  const ending = extname(`x${suffix}`);
  // Some disks know a name in small letters and in large ones as the same.
  const name = ending.toLowerCase();
  if (isSessionName(name) || isCompressed(name) || BESIDE.has(name)) {
    return `names that end in ${ending} have another meaning; expected a suffix like .v1`;
  }
  return undefined;
}
