import { FileError } from '../../errors.ts';
import { beginsWith } from '../../session/jsonl/read/begins-with.ts';
import { readText } from '../../session/jsonl/read/text-source.ts';
import { withCompression } from '../../session/jsonl/zstd/is-compressed.ts';
import { type SessionFiles, toOwnName } from './session-files.ts';

export interface TwinObstacle {
  readonly obstacle: string;
  /** The error by which that is not known. */
  readonly failure?: FileError;
}

/**
 * Returns the reason why a session must be kept if its compressed file, which is beside it and would go with it,
 * has anything more than the session. No other command reads that file: agents read the plain one of two.
 */
export async function findTwinObstacle({
  path,
  root,
  files,
}: Pick<SessionFiles, 'path' | 'root' | 'files'>): Promise<TwinObstacle | undefined> {
  const packed = withCompression(path);
  const name = toOwnName(packed, root);
  if (packed === path || !files.some((one) => one.name === name)) return undefined;
  try {
    if (await beginsWith(path, readText(packed))) return undefined;
    return { obstacle: `${packed} differs from the uncompressed file` };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { obstacle: `${error.path}: ${error.message}`, failure: error };
  }
}
