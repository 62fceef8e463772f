import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { FileError } from '../../errors.ts';
import { isMissing } from '../../session/jsonl/files/file-error.ts';
import type { NoteFile } from '../../session/dialect/surroundings/records.ts';
import { listNames } from '../../session/jsonl/files/list-directory.ts';
import { readRegularFile } from './read-regular-file.ts';
import { isGone, requireNoDeadLink } from './stat-file.ts';

/**
 * Reads a note of an agent beside its sessions; undefined where there is none.
 * @throws FileError if it cannot be read, is not text, or may be on a disk that is not mounted.
 */
export function readNoteText(path: string, maxBytes?: number): string | undefined {
  const bytes = readIfThere(path, maxBytes);
  if (!bytes) {
    requireNoDeadLink(path);
    return undefined;
  }
  // An id with a damaged byte is the id of no session: that of another would be missed.
  if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString('utf8');
  throw new FileError(path, 'EINVAL', 'cannot read: is not text in UTF-8');
}

/** The most bytes of a note that a program of an agent keeps for all its sessions. */
export const MAX_NOTE_BYTES = 256 * 1024 * 1024;

/** The path of such a note in a home, or of its backup where the agent reads that. */
export function getNotePath(home: string, { name, backup }: NoteFile): string {
  const path = join(home, name);
  return isGone(path) ? join(home, backup) : path;
}

/**
 * Lists the names in a directory of such notes; none where there is none.
 * @throws FileError if it cannot be read, or may be on a disk that is not mounted.
 */
export function listNoteNames(directory: string): readonly string[] {
  const names = listNames(directory);
  if (names.length === 0) requireNoDeadLink(directory);
  return names;
}

function readIfThere(path: string, maxBytes: number | undefined): Buffer | undefined {
  try {
    return readRegularFile(path, maxBytes);
  } catch (error) {
    if (error instanceof FileError && isMissing(error)) return undefined;
    throw error;
  }
}
