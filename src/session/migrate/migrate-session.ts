import { getStatedVersion } from '../agents/index.ts';
import { dirname } from 'node:path';
import { FileError } from '../../errors.ts';
import type { Dialect } from '../dialect/dialect.ts';
import {
  type MigrationDialect,
  type MigrationPlan,
  type Migrator,
  type MigratorOptions,
  NO_OLD_ENTRIES,
  type StartFinder,
} from '../dialect/migration.ts';
import { toIso, toTime } from '../jsonl/edit/json.ts';
import { isOwnFile } from '../jsonl/files/is-own-file.ts';
import { readState } from '../jsonl/files/sync-calls.ts';
import { readElements } from '../jsonl/read/read-elements.ts';
import { readLines } from '../jsonl/read/read-lines.ts';
import { replaceFile } from '../jsonl/write/replace-file.ts';
import { type Destination, findDestination } from './destination.ts';
import { findResized } from './find-resized.ts';
import { type MigrateOptions, type MigrationResult, toUnchangedResult } from './types.ts';
import { applyMigration, findWritten, moveWith } from './write.ts';
import { type ActionResult, describeError, orSkip } from '../model/action.ts';
import { movePath, type PathMove } from '../model/paths.ts';
import { getFolderName } from '../model/sidecar.ts';
import { type NoSession, toNoSession } from '../read/no-session.ts';
import { type Opening, readOpening } from '../read/read-opening.ts';
import { toLookedAt } from '../read/summaries/looked-at.ts';

/** The first time in a file that is one JSON array, or else that of its last change; milliseconds. */
export function findStartTime(path: string, finder: StartFinder): number {
  const { stamp } = readElements(path, finder.visit);
  return Number.isNaN(finder.time) ? stamp.mtimeMs : finder.time;
}

/**
 * Brings a session of an old version to the current one, without losing a byte; every version that
 * is current or unknown is left unchanged. The file is replaced as `replaceFile` has it. A session in
 * the array dialect becomes a new `.jsonl` file beside it.
 *
 * A file that changes meanwhile, or is in use, is skipped; one that cannot be written is left as it
 * was, and the result says why.
 * @throws FileError if it cannot be read.
 */
export async function migrateSession(
  path: string,
  options: MigrateOptions,
): Promise<MigrationResult | NoSession> {
  const opening = await readOpening(path, options);
  if (opening.kind !== 'session') return toNoSession(opening.kind);
  const { dialect, result } = opening;
  const { hold, apply } = options;
  const work = () => migrateOpened(result, dialect, options);
  const held = () => (hold && apply ? hold(dialect.agent, path, work) : work());
  try {
    return await orSkip(held, (reason) => toResult(result, { action: 'skip', reasons: [reason] }));
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return toResult(result, { action: 'fail', reasons: [describeError(error, path)] });
  }
}

async function migrateOpened(
  opening: Opening,
  dialect: Dialect,
  options: MigrateOptions,
): Promise<MigrationResult> {
  const { relocation } = options;
  const isMove = relocation && dialect.relocation;
  const planned = await (isMove ? planMove : planUpgrade)(opening, dialect, options);
  return 'migrator' in planned ? rewrite(opening, planned, options) : planned;
}

/** The change of one session, as planned. */
interface Rewrite extends Pick<MigrationResult, 'action' | 'reasons' | 'toVersion'> {
  readonly migrator: Migrator;
  readonly destination: Exclude<Destination, { kind: 'keep' }>;
  readonly beforeWriting?: () => Promise<void>;
  /** Does the work with what changes along with the file. */
  readonly around?: (work: () => Promise<MigrationResult>) => Promise<MigrationResult>;
}

/** Plans an upgrade, and a move of which only the header says where the session was at work. */
async function planUpgrade(
  opening: Opening,
  dialect: Dialect,
  options: MigrateOptions,
): Promise<Rewrite | MigrationResult> {
  const { migration } = dialect;
  const { relocation } = options;
  if (!migration) {
    return toResult(opening, { action: 'unchanged', reasons: ['has only one version'] });
  }
  const { plan, takenIds, startTime } = await planSession(opening, migration, options);
  const isRefused = plan.action === 'skip' || plan.action === 'fail';
  if (isRefused || (plan.action === 'unchanged' && !relocation)) {
    return toResult(opening, plan);
  }
  if (relocation?.obstacle !== undefined) {
    return toResult(opening, { action: 'skip', reasons: [relocation.obstacle] });
  }
  const destination = await findDestination(opening, dialect, options);
  if ('action' in destination) return toResult(opening, destination);
  const { framing, session } = opening;
  const upgrades = plan.action === 'migrate';
  const migrator = migration.createMigrator({
    framing,
    header: session.header,
    assumedCwd: options.assumedCwd,
    takenIds,
    startTime,
    changes: relocation?.changes ?? {},
    upgrades,
  });
  if (destination.kind === 'keep') return keepMigrated(opening, migrator, destination, options);
  return {
    migrator,
    destination,
    action: relocation ? 'relocate' : 'migrate',
    reasons: [...(relocation?.reasons ?? []), ...(upgrades ? plan.reasons : [])],
    toVersion: upgrades ? (migration.toVersion ?? dialect.currentVersion) : session.formatVersion,
  };
}

/** Plans the move of a session of which more than a header says where it was at work. */
async function planMove(
  opening: Opening,
  dialect: Dialect,
  options: MigrateOptions,
): Promise<Rewrite | MigrationResult> {
  const { relocation, sources, signal, apply, moveRows } = options;
  if (!relocation?.move || !dialect.relocation) {
    return toResult(opening, { action: 'unchanged', reasons: ['holds nothing that has moved'] });
  }
  const { session } = opening;
  const { agent, path } = session;
  // Files that continue from it are looked for once more before it is changed.
  if (apply) sources?.memory.forget(dirname(path));
  const found = await dialect.relocation.findObstacle?.(session, toLookedAt(sources));
  const obstacle = relocation.obstacle ?? found;
  if (obstacle !== undefined) return toResult(opening, { action: 'skip', reasons: [obstacle] });
  const destination = await findDestination(opening, dialect, options);
  if ('action' in destination) return toResult(opening, destination);
  if (destination.kind === 'keep') throw new Error('a session of lines cannot be kept as an array');
  const { move: projectMove } = relocation;
  const folders = relocation.folders ?? [];
  const moves = [...listOwnMoves(opening, destination), ...folders, projectMove];
  const harm = await findResized(session, dialect, moves, signal);
  if (harm !== undefined) return toResult(opening, { action: 'skip', reasons: [harm] });
  const move = (directory: string): string | undefined => movePath(directory, [projectMove]);
  return {
    migrator: dialect.relocation.createMigrator(moves),
    destination,
    action: 'relocate',
    reasons: relocation.reasons,
    toVersion: getStatedVersion(session),
    beforeWriting: () => relocateSubagents(path, moves, dialect, options),
    ...(apply && moveRows && { around: (work) => moveRows(agent, path, move, work) }),
  };
}

/** Rewrites a session as planned, unless it is in use. @throws FileError */
async function rewrite(
  opening: Opening,
  { migrator, destination, beforeWriting, around = (work) => work(), ...result }: Rewrite,
  options: MigrateOptions,
): Promise<MigrationResult> {
  const requireUnused = (): void => checkUnused(opening, migrator.lastActivity, options);
  requireUnused();
  return around(async () => {
    const write = { ...options, requireUnused, beforeWriting };
    const { notices, ...applied } = await applyMigration(
      opening,
      migrator.transform,
      destination,
      write,
    );
    const reasons = [...result.reasons, ...notices];
    const { problems } = migrator;
    return { ...toResult(opening, result), ...applied, ...result, reasons, problems };
  });
}

/** The folder of a session that moves along with its file. */
function listOwnMoves(
  { session: { path } }: Opening,
  destination: Exclude<Destination, { kind: 'keep' }>,
): readonly PathMove[] {
  const folder = getFolderName(path);
  const isMoved = destination.kind !== 'new' && destination.newPath !== null;
  if (folder === undefined || !isMoved) return [];
  const [from, to] = [dirname(path), dirname(destination.newPath)];
  return [{ from, to, only: new Set([folder]) }];
}

/** Changes the conversations of sub-agents, and the notes about them, before they move with their session. */
async function relocateSubagents(
  path: string,
  moves: readonly PathMove[],
  dialect: Dialect,
  { relocation, signal }: MigrateOptions,
): Promise<void> {
  const { around } = relocation ?? {};
  for (const file of (await around?.listSubagents(dialect, path)) ?? []) {
    await around?.cleanUp(dirname(file));
    const note = dialect.places.subagents?.findNote(file);
    const hasNote = note !== undefined && isOwnFile(note);
    for (const one of hasNote ? [file, note] : [file]) {
      const migrator = dialect.relocation?.createMigrator(moves);
      if (!migrator) continue;
      await replaceFile(one, migrator.transform, { planned: readState(one), signal });
    }
  }
}

/**
 * Ends a run that was interrupted when the new session was there, and the array had its old name. It keeps that name
 * if it may hold more than the new session: no command looks for a conversation in the renamed one.
 */
async function keepMigrated(
  opening: Opening,
  migrator: Migrator,
  { newPath, keepAs, sidecars }: Extract<Destination, { kind: 'keep' }>,
  options: MigrateOptions,
): Promise<MigrationResult> {
  const requireUnused = (): void => checkUnused(opening, migrator.lastActivity, options);
  requireUnused();
  const write = { ...options, requireUnused };
  if (!(await findWritten(opening, migrator.transform, newPath, write))) {
    const why = `may hold more than ${newPath}, which does not begin with all of it: give it another name that ends in .json`;
    return toResult(opening, { action: 'skip', reasons: [why] });
  }
  const { path } = opening.session;
  if (options.apply) await moveWith(sidecars, path, keepAs);
  const reasons = [`was migrated to ${newPath}: the array is kept as its sidecar`];
  const result = toResult(opening, { action: 'migrate', reasons });
  return { ...result, newPath, backupPath: keepAs };
}

interface SessionPlan extends Pick<MigratorOptions, 'takenIds' | 'startTime'> {
  readonly plan: MigrationPlan;
}

/** Only a header that looks current is checked against what is below it. */
async function planSession(
  { framing, session, startsWithHeader }: Opening,
  migration: MigrationDialect,
  { signal, assumedCwd }: MigrateOptions,
): Promise<SessionPlan> {
  const { formatVersion: version, header, path } = session;
  const stated = { framing, version, header, startsWithHeader, assumedCwd };
  const facts = { ...stated, oldEntries: NO_OLD_ENTRIES };
  const plan = migration.plan(facts);
  const known = { plan, takenIds: [], startTime: session.stamp.mtimeMs };
  if (plan.action === 'skip' || plan.action === 'fail') return known;
  if (framing === 'array') {
    const starts = migration.createStartFinder?.();
    return starts ? { ...known, startTime: findStartTime(path, starts) } : known;
  }
  if (plan.action === 'migrate' && version < 2) return known;
  const finder = migration.createFinder?.();
  if (!finder) return known;
  await readLines(path, finder.visit, { signal });
  return {
    ...known,
    plan: migration.plan({ ...facts, oldEntries: finder.found }),
    takenIds: finder.takenIds,
  };
}

/** @throws FileError when the session is in use, or seems to be. */
function checkUnused(
  { session }: Opening,
  lastActivity: number,
  { findUse }: MigrateOptions,
): void {
  const { agent, path, stamp, header } = session;
  const fileModified = new Date(stamp.mtimeMs).toISOString();
  const activity = lastActivity > 0 ? toIso(lastActivity) : toIso(toTime(header?.timestamp));
  const use = findUse({ agent, path, modified: activity ?? fileModified, fileModified });
  if (use !== undefined) throw new FileError(path, 'in-use', use);
}

function toResult(
  { session }: Opening,
  decided: Pick<ActionResult, 'action' | 'reasons'>,
): MigrationResult {
  const { path, stamp } = session;
  const formatVersion = getStatedVersion(session);
  return toUnchangedResult({ path, formatVersion, size: stamp.size }, decided);
}
