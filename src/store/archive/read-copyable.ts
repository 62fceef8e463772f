import { basename, dirname } from 'node:path';
import { getDialect } from '../../session/agents/index.ts';
import { describeNoSidecars, type SidecarDialect } from '../../session/dialect/sidecars.ts';
import { getFolderName, type Sidecar } from '../../session/model/sidecar.ts';
import { summarizeSession } from '../../session/read/summarize-session.ts';
import { getActivity } from '../../session/read/unread.ts';
import type { FoundFile } from '../find/discover.ts';
import { BEHIND_LINK, isLink, type Shared, shorten } from '../read/read-prunable.ts';
import { stampFile } from '../remove/file-tree.ts';
import {
  ownsFolder,
  readAgain,
  readSessionFiles,
  type SessionFiles,
} from '../remove/session-files.ts';
import type { SessionFacts } from './write-member.ts';

/** A session with what an archive says of it, or the reason why it cannot be put into one. */
export type Copyable =
  | {
      readonly files: SessionFiles;
      readonly facts: SessionFacts;
      /** What is beside the session and not copied, and why. */
      readonly leftOut: readonly string[];
    }
  | { readonly obstacle: string };

/**
 * Reads a session for a backup, damaged or not. Undefined for a file that is not a session.
 * @throws FileError when it cannot be read, `ENOENT` when it is gone.
 */
export async function readCopyable(
  { path, linked }: FoundFile,
  store: string,
  { survey, complete }: Shared,
  signal: AbortSignal,
): Promise<Copyable | undefined> {
  if (linked || isLink(path)) return { obstacle: BEHIND_LINK };
  const before = stampFile(dirname(path), basename(path));
  const read = await summarizeSession(path, { usage: false, signal });
  if ('kind' in read) {
    return read.kind === 'foreign' ? undefined : { obstacle: read.problem.message };
  }
  const dialect = getDialect(read.agent);
  const sidecars = findCopied(dialect.sidecars);
  if (!sidecars) return { obstacle: describeNoSidecars(dialect) ?? '' };
  const now = await readSessionFiles(path, sidecars, survey);
  const [own, ...others] = now.files;
  const found = own ? { ...now, files: [{ ...before, name: own.name }, ...others] } : now;
  const isOwn = ownsFolder(found, read.id, sidecars);
  const files = isOwn ? found : await withoutFolder(found);
  const summary = await complete(read);
  const { agent, id, cwd, name } = summary;
  const title = name ?? shorten(summary.firstMessage);
  const lastActive = new Date(getActivity(summary)).toISOString();
  const leftOut = [
    ...(isOwn ? [] : ['without the directory beside it, which may belong to something else']),
    ...(files.oddity === undefined ? [] : [`without ${files.oddity}, a link or a device`]),
  ];
  return { files, facts: { agent, id, cwd, title, lastActive, store }, leftOut };
}

/** A sidecar that several sessions share is copied with each of them. */
export function findCopied(dialect: SidecarDialect | undefined): SidecarDialect | undefined {
  if (!dialect) return undefined;
  const list = (path: string): readonly Sidecar[] =>
    dialect.list(path).map(({ sharedBy: _, ...sidecar }) => sidecar);
  return { ...dialect, list };
}

async function withoutFolder({ path, root, sidecars }: SessionFiles): Promise<SessionFiles> {
  const folder = getFolderName(path);
  const others = sidecars.filter(({ name, kind }) => {
    return kind !== 'directory' || basename(name) !== folder;
  });
  return readAgain({ path, root, sidecars: others });
}
