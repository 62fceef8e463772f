import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { UsageError } from '../../errors.ts';
import { isMissing, toFileError } from '../../session/jsonl/files/file-error.ts';

/** Longer than any plan, configuration or list of secrets, and still one string. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * The text of a file that a person has named, which may be a pipe: `<(jq … config.json)`. `action` says
 * in errors what it is read for.
 * @throws UsageError when it cannot be read or is too large; FileError when it is not there.
 */
export async function readNamedText(path: string, action = 'read'): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const tooLarge = (): UsageError => new UsageError(`${path}: is larger than ${MAX_BYTES} bytes`);
  try {
    if ((await stat(path)).size > MAX_BYTES) throw tooLarge();
    for await (const chunk of createReadStream(path)) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no encoding is set
      const piece = chunk as Buffer;
      bytes += piece.length;
      if (bytes > MAX_BYTES) throw tooLarge();
      chunks.push(piece);
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const problem = toFileError(error, path, action);
    if (isMissing(problem)) throw problem;
    throw new UsageError(`${path}: ${problem.message}`, { cause: error });
  }
  // The decoder removes a byte order mark, which editors of Windows put first.
  return new TextDecoder().decode(Buffer.concat(chunks));
}
