import { replaceOwn } from '../../files/replace-own.ts';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileError } from '../../../errors.ts';
import { toFileError } from '../../../session/jsonl/files/file-error.ts';
import { syncDirectory } from '../../../session/jsonl/files/flush.ts';
import { hashFile } from '../../files/read-regular-file.ts';
import { type ArchiveContents, type ArchivedSession, listMembers } from './archive-index.ts';
import { encodeIndexLine, getIndexPath, readIndexLines, requireOwnIndex } from './index-file.ts';
import { getStateKind, toMemberFacts, toMemberName, toStateKey } from '../member/manifest.ts';
import { verifyMember } from '../member/read-member.ts';

/** The facts of the old index that no member holds. */
interface Remembered {
  readonly archivedAt: number;
  /** The name of a member with the manifest that it was about. */
  readonly name: string;
}

/**
 * Writes the index of an archive again from its members, each of which is read from end to end; it does not name those that are damaged. The times at
 * which they were archived are those of the old index, where it knows them.
 * @throws FileError when there is no such directory, or the index cannot be written.
 */
export async function rebuildIndex(directory: string): Promise<ArchiveContents> {
  const members = await listMembers(directory);
  await requireOwnIndex(directory, members);
  const remembered = await readRemembered(directory);
  const sessions: ArchivedSession[] = [];
  const problems: FileError[] = [];
  const path = getIndexPath(directory);
  try {
    await replaceOwn(path, async (file) => {
      for (const member of members) {
        try {
          const { line, session } = await describeMember(directory, member, remembered);
          await file.appendFile(line);
          sessions.push(session);
        } catch (error) {
          const problem = toFileError(error, join(directory, member), 'read');
          if (problem.code !== 'ENOENT') problems.push(problem);
        }
      }
      await file.sync();
    });
    await syncDirectory(directory);
  } catch (error) {
    throw toFileError(error, path, 'write');
  }
  return { sessions, problems };
}

async function describeMember(
  directory: string,
  member: string,
  remembered: ReadonlyMap<string, Remembered>,
): Promise<{ readonly line: string; readonly session: ArchivedSession }> {
  const path = join(directory, member);
  const manifest = await verifyMember(path);
  const name = toMemberName(manifest);
  if (toStateKey(member) !== toStateKey(name)) {
    throw new FileError(path, 'EARCHIVE', 'is damaged: has the name of another state');
  }
  const { size: bytes, mtimeMs } = await stat(path);
  const before = remembered.get(toStateKey(member));
  const active = Date.parse(manifest.lastActive);
  const isIndexed = before?.name === name;
  // A copy changes the times of files, in any order.
  const archivedAt = isIndexed ? before.archivedAt : Number.isFinite(active) ? active : mtimeMs;
  const line = { member, archivedAt, bytes, sha256: await hashFile(path), manifest };
  const facts = toMemberFacts(manifest);
  const session = {
    member,
    kind: getStateKind(member),
    archivedAt,
    isIndexed,
    bytes,
    facts,
    seen: [],
  };
  return { line: encodeIndexLine(line), session };
}

async function readRemembered(directory: string): Promise<ReadonlyMap<string, Remembered>> {
  const remembered = new Map<string, Remembered>();
  await readIndexLines(directory, ({ content, isIntact }) => {
    if (!content || !('manifest' in content) || !isIntact()) return;
    const { member, archivedAt, manifest } = content;
    remembered.set(toStateKey(member), { archivedAt, name: toMemberName(manifest) });
  });
  return remembered;
}
