import { statSync } from 'node:fs';

/** The size of a file in bytes; 0 when that cannot be told, which its reader will be told. */
export function getFileSize(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}
