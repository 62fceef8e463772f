import { createHash } from 'node:crypto';
import type { Candidate } from '../../session/prune/candidate.ts';
import { readExactly } from '../archive/member/write-member.ts';
import type { SessionFiles } from '../sessions/session-files.ts';

/** The facts that an agent may keep of a session outside of its files. */
type Facts = Pick<Candidate, 'name' | 'labelCount' | 'hasNamedPart'>;

/**
 * Hashes the state of a session and its sidecars: names, sizes, mtimes, inodes and every byte, and what a keep
 * rule goes by that may be elsewhere, as one SHA-256.
 * @throws FileError when a file cannot be read, or changes meanwhile.
 */
export async function readStamp(
  session: SessionFiles,
  { name: title, labelCount, hasNamedPart = false }: Facts,
): Promise<string> {
  const hash = createHash('sha256');
  hash.update(`${JSON.stringify([title, labelCount, hasNamedPart])}\n`);
  for (const file of session.files) {
    const { name, size, mtimeMs, ino, dev } = file;
    hash.update(`${JSON.stringify([name, size, mtimeMs, ino, dev])}\n`);
    for await (const chunk of readExactly(session.root, file)) hash.update(chunk);
  }
  for (const { name } of session.directories) hash.update(`${JSON.stringify(name)}\n`);
  return hash.digest('hex');
}
