import { join, resolve } from 'node:path';
import { runBatch } from '../batch/run-batch.ts';
import { type ExitCode, UsageError } from '../errors.ts';
import { createPruneColumns, type PruneResult } from '../report/prune/columns.ts';
import { type ArchivedSession, readArchive } from '../store/archive/archive-index.ts';
import { sumFiles } from '../store/archive/manifest.ts';
import { findPlace } from '../store/archive/place.ts';
import { createRestorer } from '../store/archive/restore-member.ts';
import { reportActions } from './actions.ts';
import type { Context } from './command.ts';
import type { PruneArgs } from './prune-options.ts';
import { toProblem } from './select-sessions.ts';

/** `coppice prune --archive <dir> --restore <id|all>`. */
export async function restoreFromArchive(
  archive: string,
  ids: readonly string[],
  args: PruneArgs,
  context: Context,
): Promise<ExitCode> {
  const [store, ...others] = args.store ?? [];
  if (others.length > 0) throw new UsageError('--restore puts sessions into one --store');
  const into = store === undefined ? undefined : resolve(context.cwd, store);
  const directory = resolve(context.cwd, archive);
  const { sessions, problems } = await readArchive(directory);
  const chosen = chooseSessions(sessions, ids);
  const applied = !args['dry-run'];
  const restoreMember = createRestorer(into, context.now());
  const restore = async (session: ArchivedSession): Promise<PruneResult> => {
    if (!applied) return toRestored(session, into, 'restore');
    const { changed } = await restoreMember(join(directory, session.member));
    return toRestored(session, into, changed ? 'restore' : 'unchanged');
  };
  const { signal } = context;
  const outcomes = await runBatch(chosen, restore, { jobs: args.jobs, signal });
  const results = outcomes.map((outcome) =>
    outcome.ok ? outcome.value : toRestored(outcome.item, into, 'fail', outcome.error.message),
  );
  const report = {
    command: 'prune',
    applied,
    results,
    columns: createPruneColumns(context.now(), context.home),
    problems: problems.map(toProblem),
    words: { verb: 'restore', past: 'Restored', how: 'leave out --dry-run' },
  };
  return reportActions(report, args, context);
}

/** Of several states of one session file, the one that was archived last. */
function chooseSessions(
  sessions: readonly ArchivedSession[],
  ids: readonly string[],
): readonly ArchivedSession[] {
  const latest = new Map<string, ArchivedSession>();
  for (const session of sessions) {
    const { path } = session.manifest;
    const known = latest.get(path);
    if (!known || known.archivedAt <= session.archivedAt) latest.set(path, session);
  }
  if (ids.includes('all')) return [...latest.values()];
  const chosen = ids.flatMap((id) => findById(id, [...latest.values()]));
  return [...new Set(chosen)];
}

const MIN_PREFIX = 4;

function findById(id: string, sessions: readonly ArchivedSession[]): readonly ArchivedSession[] {
  const exact = sessions.filter(({ manifest }) => manifest.id === id);
  if (exact.length > 0) return exact;
  if (id.length < MIN_PREFIX) {
    throw new UsageError(`--restore ${id}: a prefix of an id needs ${MIN_PREFIX} characters`);
  }
  const matches = sessions.filter(({ manifest }) => manifest.id.startsWith(id));
  if (matches.length === 1) return matches;
  if (matches.length === 0) {
    throw new UsageError(`--restore ${id}: no session in the archive has this id`);
  }
  const candidates = matches.slice(0, 5).map(({ manifest }) => manifest.id);
  throw new UsageError(`--restore ${id}: fits ${matches.length} sessions:`, {
    details: candidates,
  });
}

function toRestored(
  session: ArchivedSession,
  into: string | undefined,
  action: 'restore' | 'unchanged' | 'fail',
  message?: string,
): PruneResult {
  const { agent, id, cwd, title, lastActive } = session.manifest;
  const reasons = { restore: 'from the archive', unchanged: 'is there already', fail: message };
  const bytes = sumFiles(session.manifest);
  return {
    path: findPlace(session.manifest, into).path,
    agent,
    id,
    cwd,
    name: null,
    title,
    lastActive,
    selected: true,
    action,
    reasons: [reasons[action] ?? ''],
    bytesBefore: bytes,
    bytesAfter: bytes,
  };
}
