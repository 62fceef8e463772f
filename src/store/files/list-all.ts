import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FileError } from '../../errors.ts';
import { isMissing, orFileErrorSync } from '../../session/jsonl/files/file-error.ts';
import { isAmbiguous } from '../../session/model/paths.ts';
import { attemptSync } from './attempt.ts';
import { getRealPath, statFile } from './stat-file.ts';

/** The endings of compressed and encrypted files, and of their parts and older states. */
const PACKED =
  /\.(?:t?(?:gz|bz2?|xz|zstd?|lz)|taz|lz4|lzma|lzo|z|zip|br|7z|rar|age|gpg|pgp)(?:~|\.(?:\d{1,9}|part\d{0,9}|a[a-z]|bak|old))?$/i;

/** Returns whether a file is compressed or encrypted, by its name: it may hold any session. */
export function isPacked(name: string): boolean {
  return PACKED.test(name);
}

export interface Listed {
  /** Plain files, hidden ones and those behind links among them. */
  readonly files: readonly string[];
  /**
   * The paths of all that is neither a file nor a directory that can be listed. Among them are links that lead
   * nowhere: behind these may be a disk that is not mounted.
   */
  readonly unread: readonly string[];
  /** The errors for directories among these. */
  readonly failures: readonly FileError[];
}

/**
 * Lists all files below a directory, links followed, each directory once; none where there is no directory.
 */
export function listAll(top: string): Listed {
  const [files, unread, seen] = [[] as string[], [] as string[], new Set<string>()];
  const failures: FileError[] = [];
  const pending = [top];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const real = orFileErrorSync(() => getRealPath(at));
    if (typeof real === 'string' && seen.has(real)) continue;
    if (typeof real === 'string') seen.add(real);
    const entries = typeof real === 'string' ? listEntries(at) : real;
    if (entries instanceof FileError) {
      unread.push(at);
      failures.push(entries);
      continue;
    }
    // A name that is not UTF-8 leads nowhere as a text.
    const hidden = entries.find(({ name }) => isAmbiguous(name));
    if (hidden) unread.push(join(at, hidden.name));
    for (const entry of entries) {
      const path = join(at, entry.name);
      const target = entry.isSymbolicLink() ? statFile(path) : entry;
      if (target?.isDirectory()) pending.push(path);
      else if (target?.isFile()) files.push(path);
      else unread.push(path);
    }
  }
  return { files, unread, failures };
}

function listEntries(directory: string): readonly Dirent[] | FileError {
  const list = () => readdirSync(directory, { withFileTypes: true });
  const entries = orFileErrorSync(() => attemptSync(directory, list, 'read the directory'));
  if (!(entries instanceof FileError)) return entries;
  // A link that leads nowhere is there itself.
  const look = () => lstatSync(directory);
  const looked = orFileErrorSync(() => attemptSync(directory, look, 'look up'));
  if (!(looked instanceof FileError)) return entries;
  return isMissing(looked) ? [] : looked;
}
