import { closeSync, constants, existsSync, openSync } from 'node:fs';
import { FileError } from '../../errors.ts';
import { toFileError } from '../../session/jsonl/files/file-error.ts';
import { releaseAfter } from '../../session/jsonl/files/release-after.ts';
import { type FileId, isOneFile } from '../../session/jsonl/files/same-file.ts';
import { getStampSync } from '../../session/jsonl/files/sync-calls.ts';

const { O_DIRECTORY, O_RDONLY } = constants;

/**
 * Lets `act` do something in a directory, if that is still the expected one. On Linux the path that
 * `act` is given leads to the directory that was checked, whatever is put in its place meanwhile;
 * elsewhere there is a moment between the check and the act.
 * @throws FileError, `ELINK`, when the path leads somewhere else; whatever `act` throws.
 */
export async function inDirectory<T>(
  path: string,
  expected: FileId,
  act: (path: string) => Promise<T>,
): Promise<T> {
  const fd = openDirectory(path);
  const run = async (): Promise<T> => {
    if (isOneFile(getStampSync(fd), expected)) return act(toHeldPath(fd) ?? path);
    throw new FileError(path, 'ELINK', 'another directory, or a link to one, is in its place');
  };
  return releaseAfter(run, () => closeSync(fd));
}

function openDirectory(path: string): number {
  try {
    return openSync(path, O_RDONLY | O_DIRECTORY);
  } catch (error) {
    throw toFileError(error, path, 'open');
  }
}

/** A path that leads to an open directory itself. */
function toHeldPath(fd: number): string | undefined {
  const path = `/proc/self/fd/${fd}`;
  return process.platform === 'linux' && existsSync(path) ? path : undefined;
}
