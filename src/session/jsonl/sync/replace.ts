import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { FileError } from '../../../errors.ts';
import { toFileError } from '../files/file-error.ts';
import { keepAccess } from '../files/keep-access.ts';
import { type KnownFile, readKnownSync } from '../files/known-file.ts';
import { LineSplitter } from '../read/line-splitter.ts';
import { type LineTransform, putLine } from '../write/line-transform.ts';
import { OutputBuffer } from '../write/output-buffer.ts';
import { type FileStamp, isSameState } from '../files/file-stamp.ts';
import { releaseAfterSync } from '../files/release-after.ts';
import {
  getStampSync,
  readRangeSync,
  syncDirectorySync,
  writeAllSync,
} from '../files/sync-calls.ts';
import { createTempFileSync } from '../files/temp-file.ts';
import { CHUNK_BYTES } from '../read/chunk-pool.ts';

/**
 * `replaceFile` for callers that cannot wait, and that give up when anybody else is at the file: a
 * private temporary file beside it, fsync, a check that the file is still the `planned` one, rename,
 * fsync of the directory. Returns the state of the new file.
 * @throws FileError; the file is then as it was, and nothing is left beside it.
 */
export function replaceFileSync(
  path: string,
  transform: LineTransform,
  planned: FileStamp,
): KnownFile {
  try {
    const target = realpathSync(path);
    const source = openSync(target, 'r');
    return releaseAfterSync(
      () => replaceTarget(source, target, transform, planned),
      () => closeSync(source),
    );
  } catch (error) {
    throw toFileError(error, path, 'replace');
  }
}

function replaceTarget(
  source: number,
  target: string,
  transform: LineTransform,
  planned: FileStamp,
): KnownFile {
  const temp = createTempFileSync(target);
  let isCommitted = false;
  const replace = (): KnownFile => {
    transformAll(source, temp.fd, transform, planned.size);
    keepAccess(target, fstatSync(source), temp);
    fsyncSync(temp.fd);
    if (!isSameState(statSync(target), planned)) {
      throw new FileError(target, 'ECHANGED', 'was changed by another program: open it again');
    }
    renameSync(temp.path, target);
    isCommitted = true;
    carryOver(source, temp.fd, planned.size);
    syncDirectorySync(dirname(target));
    return readKnownSync(temp.fd);
  };
  const removeTemp = (): void => {
    if (!isCommitted) unlinkSync(temp.path);
  };
  return releaseAfterSync(replace, removeTemp, () => closeSync(temp.fd));
}

function transformAll(from: number, to: number, transform: LineTransform, size: number): void {
  const output = new OutputBuffer((bytes) => writeAllSync(to, bytes));
  const splitter = new LineSplitter((line) => putLine(output, line, transform(line)));
  const copy = (): void => {
    for (let at = 0; at < size; at += CHUNK_BYTES) {
      splitter.push(readRangeSync(from, at, Math.min(size, at + CHUNK_BYTES)));
    }
    splitter.end();
    output.flush();
  };
  releaseAfterSync(copy, () => output.close());
}

/** What reached the old file between the last check and the rename. */
function carryOver(from: number, to: number, known: number): void {
  const { size } = getStampSync(from);
  if (size <= known) return;
  writeAllSync(to, readRangeSync(from, known, size));
  fsyncSync(to);
}
