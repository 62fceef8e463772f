import { dirname } from 'node:path';
import { isInside } from '../../session/model/paths.ts';
import { getRealPath, orPath } from '../files/stat-file.ts';

/**
 * Returns whether a path leads to a device, or to a file that a process has open, such as `/dev/stdout` or `/dev/fd/3`:
 * what replaces a file would replace the one behind it.
 */
export function isDeviceOrOpenFile(path: string): boolean {
  const directory = orPath(getRealPath, dirname(path));
  return directory === '/dev' || ['/dev/fd', '/proc'].some((place) => isInside(directory, place));
}
