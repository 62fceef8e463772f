import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';

/** Returns whether a path leads to a file that is there, and neither it nor its directory is a link. */
export function isOwnFile(path: string): boolean {
  const [file, folder] = [path, dirname(path)].map((one) =>
    lstatSync(one, { throwIfNoEntry: false }),
  );
  return file?.isFile() === true && folder?.isDirectory() === true;
}
