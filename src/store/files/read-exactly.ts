import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { FileError } from '../../errors.ts';
import { toFileError } from '../../session/jsonl/files/file-error.ts';

/** The bytes of one file; fails when there are fewer or more than when it was stamped. */
export async function* readExactly(
  root: string,
  { name, size }: { readonly name: string; readonly size: number },
): AsyncGenerator<Buffer> {
  const path = join(root, name);
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path)) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no encoding is set
      const piece = chunk as Buffer;
      bytes += piece.length;
      yield piece;
    }
  } catch (error) {
    throw toFileError(error, path, 'read');
  }
  if (bytes !== size) throw new FileError(path, 'ECHANGED', 'changed while it was read');
}
