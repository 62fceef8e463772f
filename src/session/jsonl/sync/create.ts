import { closeSync, existsSync, fsyncSync, linkSync, rmSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { claimName, isClaimed } from '../write/claim-name.ts';
import { taken } from '../write/create-file.ts';
import { toFileError } from '../files/file-error.ts';
import { makeDirectory } from '../files/flush.ts';
import { type KnownFile, readKnownSync } from '../files/identity/known-file.ts';
import { releaseAfterSync } from '../files/release-after.ts';
import { syncDirectorySync, writeAllSync } from '../files/sync-calls.ts';
import { lacksLinks, renameFileSync } from '../files/system.ts';
import { createTempFileSync } from '../files/temp-file.ts';

/**
 * `createFile` for callers that cannot wait; returns the state of the new file.
 * @throws FileError, `EEXIST` if there is something of this name; then nothing is left behind.
 */
export function createFileSync(path: string, chunks: Iterable<Buffer>): KnownFile {
  try {
    if (existsSync(path)) throw taken(path);
    makeDirectory(dirname(path));
    const temp = createTempFileSync(path);
    const create = (): KnownFile => {
      for (const chunk of chunks) writeAllSync(temp.fd, chunk);
      fsyncSync(temp.fd);
      linkExclusivelySync(temp.path, path);
      return orTakeBack(path, () => {
        rmSync(temp.path, { force: true });
        syncDirectorySync(dirname(path));
        return readKnownSync(temp.fd);
      });
    };
    return releaseAfterSync(
      create,
      () => closeSync(temp.fd),
      () => rmSync(temp.path, { force: true }),
    );
  } catch (error) {
    throw toFileError(error, path, 'create');
  }
}

function linkExclusivelySync(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!lacksLinks(error)) throw error;
    const claim = claimName(to);
    releaseAfterSync(
      () => {
        if (isClaimed(claim, to)) throw taken(to);
        renameFileSync(from, to);
      },
      () => rmSync(claim.path, { force: true }),
    );
  }
}

/** Finishes a new file; removes it if that fails, so that a reported failure leaves no file. */
function orTakeBack<T>(path: string, finish: () => T): T {
  try {
    return finish();
  } catch (error) {
    const fail = (): never => {
      throw error;
    };
    return releaseAfterSync(fail, () => unlinkSync(path));
  }
}
