import { closeSync, realpathSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { toFileError } from '../files/file-error.ts';
import { releaseAfter } from '../files/release-after.ts';
import type { LineTransform } from './line-transform.ts';
import { syncDirectory } from '../files/flush.ts';
import { NARROWED } from '../files/keep-access.ts';
import { OldFile } from '../files/old-file.ts';
import { Rewrite, type RewriteOptions } from './rewrite.ts';
import { createTempFileSync } from '../files/temp-file.ts';
import { refuseCompressed } from '../zstd/is-compressed.ts';

export interface Replaced {
  /** False when the transform kept every line: then the file was not touched. */
  readonly changed: boolean;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** Notices about the new file for the user. */
  readonly notices: readonly string[];
}

/**
 * Rewrites a file line by line so that it is, at every moment, wholly the old one or wholly the new
 * one: a private temporary file beside it, fsync, a check that the source is still the one that was
 * read, rename, fsync of the directory.
 *
 * Lines that another process appends meanwhile go through the transform too, up to and after the
 * rename; any other change gives up. Mode, owner, access control list and mtime are kept, or the new
 * file is for its owner only; a symbolic link remains a link
 * and its target is replaced.
 * @throws FileError with the cause; before the rename the file is then as it was, and nothing is
 * left beside it.
 */
export async function replaceFile(
  path: string,
  transform: LineTransform,
  options: RewriteOptions,
): Promise<Replaced> {
  try {
    const target = realpathSync(path);
    for (const name of [path, target]) refuseCompressed(name);
    return await replaceTarget(target, transform, options);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw toFileError(error, path, 'replace');
  }
}

const OTHER_NAME = 'its other name (a hard link) still leads to the old state';

async function replaceTarget(
  target: string,
  transform: LineTransform,
  options: RewriteOptions,
): Promise<Replaced> {
  const source = new OldFile(target);
  const replace = async (): Promise<Replaced> => {
    const temp = createTempFileSync(target);
    const rewrite = new Rewrite(target, source, temp, transform, options);
    const removeTemp = (): void => {
      if (!rewrite.committed) unlinkSync(temp.path);
    };
    return releaseAfter(
      () => runRewrite(rewrite, target),
      removeTemp,
      () => closeSync(temp.fd),
      () => rewrite.close(),
    );
  };
  return releaseAfter(replace, () => source.close());
}

async function runRewrite(rewrite: Rewrite, target: string): Promise<Replaced> {
  await rewrite.write();
  if (rewrite.changed) {
    await rewrite.commit();
    await rewrite.carryOver();
    await syncDirectory(dirname(target));
  }
  const { changed, bytesRead: bytesBefore, bytesWritten: bytesAfter } = rewrite;
  const notices = [
    ...(changed && rewrite.hasOtherName ? [OTHER_NAME] : []),
    ...(rewrite.isNarrowed ? [NARROWED] : []),
  ];
  return { changed, bytesBefore, bytesAfter, notices };
}
