import { dirname } from 'node:path';
import { FileError } from '../../errors.ts';
import type { Counts } from '../dialect/reduction.ts';
import type { Flushed } from '../jsonl/files/flush.ts';
import { releaseAfter } from '../jsonl/files/release-after.ts';
import type { LineTransform } from '../jsonl/write/line-transform.ts';
import { type Replaced, replaceFile } from '../jsonl/write/replace-file.ts';
import { toLookedAt } from '../read/summaries/looked-at.ts';
import type { PlannedReduction, ReduceOptions } from './plan-reduction.ts';

/**
 * Replaces the file of a session with its transformed lines. `beforeCommit` is handed what depends on the bytes of the
 * file right before it is replaced.
 * @throws FileError if it cannot be replaced, or has changed since it was planned.
 */
export function replacePlanned(
  { read: { session }, dialect, images }: PlannedReduction,
  transform: LineTransform,
  { signal, sources }: ReduceOptions,
  beforeCommit: (now: Counts) => Promise<Flushed>,
): Promise<Replaced> {
  const { path, stamp } = session;
  let isCommitted = false;
  const replace = (): Promise<Replaced> =>
    replaceFile(path, transform, {
      planned: stamp,
      signal,
      beforeCommit: async () => {
        sources?.memory.forget(dirname(path));
        return beforeCommit((await dialect.findCounts?.(session, toLookedAt(sources))) ?? {});
      },
      onCommit: () => (isCommitted = true),
    });
  return releaseAfter(replace, () => {
    // The images are discarded last: the new file must never name an image that is gone.
    if (!isCommitted) images.discard();
  });
}

/** The error for a file from which another one continues that did not when it was planned. */
export function continuedSince(path: string): FileError {
  const message = 'another session continues from it since it was read';
  return new FileError(path, 'ECHANGED', message);
}
