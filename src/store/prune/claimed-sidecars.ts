import { join } from 'node:path';
import { getDialect } from '../../session/agents/index.ts';
import { isBelow } from '../../session/model/paths.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { keepStamps, readAgain, type SessionFiles } from '../remove/session-files.ts';
import type { NamedSidecar } from '../remove/survey.ts';
import type { FoundPrunable, ReadSessions } from './units.ts';

/**
 * Adds to the files of sessions what their lines name and those of no other session do. Nothing is added
 * where not every session that may name it was read, and understood.
 */
export async function addClaimed(sessions: ReadSessions): Promise<readonly FoundPrunable[]> {
  const { read } = sessions;
  if (!read.some(({ summary }) => summary?.claims)) return read;
  const counts = new Map<string, number>();
  for (const { summary } of read) {
    for (const name of summary ? listClaims(summary) : []) {
      const path = join(findRoot(summary), name);
      counts.set(path, (counts.get(path) ?? 0) + 1);
    }
  }
  const found: FoundPrunable[] = [];
  for (const one of read) {
    const { summary, files } = one;
    const own = (summary ? listClaims(summary) : []).filter(
      (name) => counts.get(join(findRoot(summary), name)) === 1,
    );
    const isSure = files && own.length > 0 && summary && isAllRead(summary, sessions);
    found.push(isSure ? { ...one, files: await withNamed(files, own) } : one);
  }
  return found;
}

/** A session's files with sidecars that are its own by what its lines say. */
async function withNamed(files: SessionFiles, names: readonly string[]): Promise<SessionFiles> {
  const known = new Set(files.sidecars.map(({ name }) => name));
  const added = names.flatMap((name): NamedSidecar[] =>
    known.has(name) ? [] : [{ name, kind: 'file' }],
  );
  const now = await readAgain({ ...files, sidecars: [...files.sidecars, ...added] });
  return keepStamps(now, files.files);
}

/** Lists the sidecars that the lines of a session name, at the paths where its agent looks for them. */
function listClaims({
  agent,
  path,
  claims = [],
}: Pick<SessionSummary, 'agent' | 'path' | 'claims'>): readonly string[] {
  const sidecars = getDialect(agent).sidecars?.list(path) ?? [];
  return sidecars.some(({ claimedIn }) => claimedIn !== undefined) ? claims : [];
}

function findRoot(summary: Pick<SessionSummary, 'agent' | 'path'> | undefined): string {
  return summary ? (getDialect(summary.agent).sidecars?.findRoot(summary.path) ?? '') : '';
}

/** Returns whether all sessions that may name the same were read. */
function isAllRead(summary: SessionSummary, { read, stores, problems }: ReadSessions): boolean {
  const sidecars = getDialect(summary.agent).sidecars?.list(summary.path) ?? [];
  const place = sidecars.find(({ claimedIn }) => claimedIn !== undefined)?.claimedIn ?? '';
  const home = join(findRoot(summary), place);
  const isIn = (path: string): boolean => path === home || isBelow(path, home);
  if (!stores.some((store) => store === home || isBelow(home, store))) return false;
  if (problems.some(({ path }) => isIn(path))) return false;
  return read.every(
    (one) => !isIn(one.file.path) || (!one.error && (one.summary?.unread.lines ?? 0) === 0),
  );
}
