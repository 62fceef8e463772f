import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { releaseAfter } from '../../session/jsonl/files/release-after.ts';
import { withPrivateDirectory } from '../files/private-directory.ts';
import { makeDirectories } from '../../session/jsonl/files/make-directories.ts';
import { attempt, attemptSync } from '../files/attempt.ts';

const UNNAMED = 'stdin.jsonl';

/**
 * Writes what a stream holds into a private file, and removes the file when `use` is done, whatever
 * comes. The file and its directory are called as in `name`, since an agent may go by both.
 * @throws FileError if the file cannot be written; whatever `use` and `chunks` throw.
 */
export async function withReceivedFile<T>(
  chunks: AsyncIterable<Uint8Array>,
  name: string | undefined,
  use: (path: string) => Promise<T>,
): Promise<T> {
  return withPrivateDirectory(async (root) => {
    const directory = join(root, basename(dirname(name ?? '')));
    const path = join(directory, basename(name ?? UNNAMED));
    attemptSync(directory, () => makeDirectories(directory));
    await receive(chunks, path);
    return use(path);
  });
}

async function receive(chunks: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  const file = await attempt(path, () => open(path, 'wx', 0o600));
  await releaseAfter(
    async () => {
      for await (const chunk of chunks) await attempt(path, () => file.writeFile(chunk));
    },
    () => attempt(path, () => file.close()),
  );
}
