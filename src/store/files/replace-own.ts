import { type FileHandle, rm } from 'node:fs/promises';
import { releaseAfter } from '../../session/jsonl/files/release-after.ts';
import { renameFile } from '../../session/jsonl/files/system.ts';
import { createTempFile } from '../../session/jsonl/files/temp-file.ts';

/**
 * Replaces a file of coppice's own by one that `write` fills, and flushes if that is needed: at every moment, the
 * file is wholly the old or the new one.
 * @throws whatever `write` throws, and errors of the system; the file is then the old one.
 */
export async function replaceOwn(
  path: string,
  write: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const temp = await createTempFile(path);
  await releaseAfter(
    async () => {
      await write(temp.file);
      await renameFile(temp.path, path);
    },
    () => temp.file.close(),
    () => rm(temp.path, { force: true }),
  );
}
