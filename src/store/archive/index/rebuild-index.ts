import { replaceOwn } from '../../files/replace-own.ts';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileError } from '../../../errors.ts';
import { toFileError } from '../../../session/jsonl/files/file-error.ts';
import { syncDirectory } from '../../../session/jsonl/files/flush.ts';
import { hashFile } from '../../files/read-regular-file.ts';
import {
  addMoment,
  type ArchiveContents,
  type ArchivedSession,
  listMembers,
} from './archive-index.ts';
import {
  encodeIndexLine,
  getIndexPath,
  keepAdded,
  readIndexLines,
  requireOwnIndex,
} from './index-file.ts';
import {
  getStateKind,
  isOwnName,
  toMemberFacts,
  toMemberName,
  toStateKey,
} from '../member/manifest.ts';
import { verifyMember } from '../member/read-member.ts';
import { attempt } from '../../files/attempt.ts';

/** The facts of the old index that no member holds. */
interface Remembered {
  readonly moments: readonly number[];
  /** The name of a member with the manifest that it was about. */
  readonly name: string;
}

/**
 * Writes the index of an archive again from its members, each of which is read from end to end; it does not name those that are damaged. The times at
 * which they were archived are those of the old index, where it knows them; of the others the new one has none either.
 * @throws FileError when there is no such directory, or the index cannot be written.
 */
export async function rebuildIndex(directory: string): Promise<ArchiveContents> {
  await requireOwnIndex(directory, await listMembers(directory));
  const sessions: ArchivedSession[] = [];
  const problems: FileError[] = [];
  const path = getIndexPath(directory);
  const replace = async (): Promise<void> => {
    const remembered = await readRemembered(directory);
    // Those of another run, which has said so in the old index, are among them.
    const members = await listMembers(directory);
    await replaceOwn(path, async (file) => {
      for (const member of members) {
        try {
          const { lines, session } = await describeMember(directory, member, remembered);
          for (const line of lines) await file.appendFile(line);
          sessions.push(session);
        } catch (error) {
          const problem = toFileError(error, join(directory, member), 'read');
          if (problem.code !== 'ENOENT') problems.push(problem);
        }
      }
      await file.sync();
    });
    await syncDirectory(directory);
  };
  await attempt(path, () => keepAdded(path, replace));
  return { sessions, problems };
}

async function describeMember(
  directory: string,
  member: string,
  remembered: ReadonlyMap<string, Remembered>,
): Promise<{ readonly lines: readonly string[]; readonly session: ArchivedSession }> {
  const path = join(directory, member);
  const manifest = await verifyMember(path);
  const name = toMemberName(manifest);
  if (!isOwnName(member, manifest)) {
    throw new FileError(path, 'EARCHIVE', 'is damaged: has the name of another state');
  }
  const { size: bytes, mtimeMs } = await stat(path);
  const before = remembered.get(toStateKey(member));
  const moments = before?.name === name ? before.moments : [];
  const line = { member, bytes, sha256: await hashFile(path), manifest };
  const times = moments.length === 0 ? [undefined] : moments;
  const lines = times.map((archivedAt) => encodeIndexLine({ ...line, archivedAt }));
  const facts = toMemberFacts(manifest);
  const archivedAt = moments.at(-1) ?? mtimeMs;
  const session = {
    member,
    kind: getStateKind(member),
    moments,
    archivedAt,
    bytes,
    facts,
    seen: [],
  };
  return { lines, session };
}

async function readRemembered(directory: string): Promise<ReadonlyMap<string, Remembered>> {
  const remembered = new Map<string, Remembered>();
  await readIndexLines(directory, ({ content, isIntact }) => {
    if (!content || !('manifest' in content) || !isIntact()) return;
    const { member, archivedAt, manifest } = content;
    const [key, name] = [toStateKey(member), toMemberName(manifest)];
    const before = remembered.get(key);
    const moments = addMoment(before?.name === name ? before.moments : [], archivedAt);
    remembered.set(key, { moments, name });
  });
  return remembered;
}
