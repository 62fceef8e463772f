import { DECOMPRESS, isCompressed } from '../jsonl/zstd/is-compressed.ts';

/** The versions of a session's format: of its file, and those that a change takes. */
interface Versions {
  readonly path: string;
  readonly formatVersion: number;
  readonly oldestVersion: number;
  readonly currentVersion: number;
}

/** Returns the reason why the lines of a file cannot be changed in its format, with the remedy. */
export function findFormatObstacle(versions: Versions): string | undefined {
  const { path, formatVersion, oldestVersion, currentVersion } = versions;
  if (isCompressed(path)) return `is compressed; ${DECOMPRESS} first`;
  if (formatVersion < oldestVersion) return 'is in an old format; run coppice migrate first';
  if (formatVersion > currentVersion) return 'is of an unknown format; left unchanged';
  return undefined;
}
