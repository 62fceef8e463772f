import { readFileSync } from 'node:fs';

/**
 * The directory at which the file system of an absolute path without links is mounted; undefined where
 * the system does not say. Two mounts of one disk are two: between them there is no rename.
 */
export function findMountPoint(path: string, table = readTable()): string | undefined {
  return parseMountPoints(table)
    .filter((point) => point === '/' || path === point || path.startsWith(`${point}/`))
    .reduce<string | undefined>((best, point) => {
      return best === undefined || point.length >= best.length ? point : best;
    }, undefined);
}

/** The directories and files, by their real paths, at which something is mounted; none where the system does not say. */
export function listMountPoints(table = readTable()): ReadonlySet<string> {
  return new Set(parseMountPoints(table));
}

/**
 * Parses the table of Linux: the fifth field of each line, with special characters as octal
 * numbers.
 */
function parseMountPoints(table: string): readonly string[] {
  const fields = table.split('\n').map((line) => line.split(' ')[4] ?? '');
  return fields
    .filter((field) => field.startsWith('/'))
    .map((field) => field.replaceAll(/\\([0-7]{3})/g, (_, code: string) => toCharacter(code)));
}

function toCharacter(octal: string): string {
  return String.fromCodePoint(Number.parseInt(octal, 8));
}

function readTable(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return '';
  }
}
