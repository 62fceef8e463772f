import type { Entry } from '../../../model/entry.ts';
import { CURRENT_VERSION } from '../format.ts';

/**
 * Without later headers, which Codex skips; in a file with ordinals its context begins behind
 * the last one, where anything stands before that.
 */
export function selectCopied(entries: readonly Entry[], version: number): readonly Entry[] {
  if (version !== CURRENT_VERSION) return entries.filter(({ type }) => type !== 'session_meta');
  const first = entries.findIndex(({ type }) => type === 'message' || type === 'compaction');
  return entries.filter(({ type }, at) => type !== 'session_meta' || (first !== -1 && at > first));
}
