import { basename, join } from 'node:path';
import { getDialect } from '../../session/agents/index.ts';
import { listDirectory } from '../../session/jsonl/files/list-directory.ts';
import { isBelow } from '../../session/model/paths.ts';
import type { HeldIn } from '../../session/model/sidecar.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { keepStamps, readAgain, type SessionFiles } from './session-files.ts';
import type { NamedSidecar } from './survey.ts';
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
  const isWhole = createWholeTest(read);
  const found: FoundPrunable[] = [];
  for (const one of read) {
    const { summary, files } = one;
    const own = (summary ? listClaims(summary) : []).filter(
      (name) => counts.get(join(findRoot(summary), name)) === 1,
    );
    const isSure =
      files &&
      own.length > 0 &&
      summary &&
      isAllRead(summary, sessions) &&
      (await isWhole(summary));
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

/**
 * Makes a test of whether every file was read that may hold a session, compressed ones and backups
 * included: nobody knows what those name.
 */
function createWholeTest(
  read: readonly FoundPrunable[],
): (summary: SessionSummary) => Promise<boolean> {
  const known = new Set(read.map(({ file }) => file.path));
  const tests = new Map<string, Promise<boolean>>();
  const look = async (place: string, listHeldIds: HeldIn['listHeldIds']): Promise<boolean> => {
    const homes = await Promise.all((await listDirectory(place)).map((one) => listDirectory(one)));
    const isUnread = (path: string): boolean =>
      !known.has(path) && listHeldIds(basename(path)).length > 0;
    return !homes.flat().some(isUnread);
  };
  return (summary) => {
    const sidecars = getDialect(summary.agent).sidecars?.list(summary.path) ?? [];
    const held = sidecars.flatMap(({ sharedBy }) => sharedBy ?? []).at(0);
    if (!held) return Promise.resolve(true);
    const place = join(findRoot(summary), held.directory);
    const test = tests.get(place) ?? look(place, held.listHeldIds);
    tests.set(place, test);
    return test;
  };
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
