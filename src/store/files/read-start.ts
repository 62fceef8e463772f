import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { toFileError } from '../../session/jsonl/files/file-error.ts';
import { refuseLastLink } from '../../session/jsonl/files/system.ts';

const { O_NONBLOCK, O_RDONLY } = constants;

const START_BYTES = 8192;

/** The first bytes of a plain file, as text; nothing of what is not one. */
export async function readStart(path: string): Promise<string> {
  try {
    const file = await open(path, O_RDONLY | O_NONBLOCK | refuseLastLink(path));
    try {
      if (!(await file.stat()).isFile()) return '';
      const { buffer, bytesRead } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    const problem = toFileError(error, path, 'read');
    if (['ENOENT', 'ELOOP', 'EISDIR', 'ENXIO'].includes(problem.code)) return '';
    throw problem;
  }
}
