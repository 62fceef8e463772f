import { closeSync, fsyncSync, realpathSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { FileError } from '../../../errors.ts';
import { toFileError } from '../files/file-error.ts';
import { keepAccess } from '../files/keep-access.ts';
import { OldFile } from '../files/old-file.ts';
import { type KnownFile, readKnownSync } from '../files/identity/known-file.ts';
import { type Line, type LineMeasure, LineSplitter } from '../read/line-splitter.ts';
import { measureLine } from '../read/measure-line.ts';
import { type LineTransform, transformLine } from '../write/line-transform.ts';
import { OutputBuffer } from '../write/output-buffer.ts';
import { type FileStamp, isSameState } from '../files/identity/file-stamp.ts';
import { releaseAfterSync } from '../files/release-after.ts';
import {
  getFactsSync,
  getStampSync,
  readRangeSync,
  syncDirectorySync,
  writeAllSync,
} from '../files/sync-calls.ts';
import { pause, WAITS } from '../files/system.ts';
import { createTempFileSync } from '../files/temp-file.ts';
import { CHUNK_BYTES } from '../read/chunks/chunk-pool.ts';

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
    const source = new OldFile(target);
    return releaseAfterSync(
      () => replaceTarget(source, target, transform, planned),
      () => source.closeSync(),
    );
  } catch (error) {
    throw toFileError(error, path, 'replace');
  }
}

function replaceTarget(
  source: OldFile,
  target: string,
  transform: LineTransform,
  planned: FileStamp,
): KnownFile {
  const temp = createTempFileSync(target);
  let isCommitted = false;
  const replace = (): KnownFile => {
    transformAll({ from: source.fd, path: target, size: planned.size }, temp.fd, transform);
    keepAccess(target, getFactsSync(source.fd), temp);
    fsyncSync(temp.fd);
    const state = secure(source, planned);
    const waits = WAITS.values();
    do {
      if (!isSameState(getStampSync(target), state)) {
        throw new FileError(target, 'ECHANGED', 'was changed by another program: open it again');
      }
      isCommitted = source.replaceBy(temp.path);
    } while (!isCommitted && mayTryAgain(waits));
    if (!isCommitted) {
      throw new FileError(target, 'ECHANGED', 'is held open by another program: try again');
    }
    carryOver(source, temp.fd, planned.size);
    syncDirectorySync(dirname(target));
    return readKnownSync(temp.fd);
  };
  const removeTemp = (): void => {
    if (!isCommitted) unlinkSync(temp.path);
  };
  return releaseAfterSync(replace, removeTemp, () => closeSync(temp.fd));
}

/** Gives the old file its second name, where it needs one; returns its state with that. */
function secure(source: OldFile, planned: FileStamp): FileStamp {
  const before = getFactsSync(source.fd);
  source.prepare();
  const after = getFactsSync(source.fd);
  const isNamed = after.links > before.links && isSameState(before, planned);
  return isNamed ? { ...planned, ctimeMs: after.ctimeMs } : planned;
}

function mayTryAgain(waits: Iterator<number>): boolean {
  const { value, done } = waits.next();
  if (done === true) return false;
  pause(value);
  return true;
}

interface Source {
  readonly from: number;
  readonly path: string;
  readonly size: number;
}

function transformAll({ from, path, size }: Source, to: number, transform: LineTransform): void {
  const output = new OutputBuffer((bytes) => writeAllSync(to, bytes));
  let read = 0;
  const put = (line: Line): void => transformLine(output, path, line, transform);
  const measure: LineMeasure = (most) => measureLine(from, read, most);
  const splitter = new LineSplitter(put, { measure });
  const copy = (): void => {
    while (read < size) {
      const chunk = readRangeSync(from, read, Math.min(size, read + CHUNK_BYTES));
      if (chunk.length === 0) break;
      read += chunk.length;
      splitter.push(chunk);
    }
    splitter.end();
    output.flush();
  };
  releaseAfterSync(copy, () => output.close());
}

/** Carries over bytes that reached the old file between the last check and the rename. */
function carryOver(from: OldFile, to: number, known: number): void {
  if (!from.isReadable) return;
  const { size } = getStampSync(from.fd);
  if (size <= known) return;
  writeAllSync(to, readRangeSync(from.fd, known, size));
  fsyncSync(to);
}
