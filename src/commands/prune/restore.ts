import { findById } from '../../session/model/match-id.ts';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { runBatch } from '../../batch/run-batch.ts';
import { type ExitCode, FileError, UsageError } from '../../errors.ts';
import type { PruneResult } from '../../report/prune/columns.ts';
import { createRestoreColumns } from '../../report/prune/restore-columns.ts';
import { type ArchivedSession, readArchive } from '../../store/archive/archive-index.ts';
import { toMemberFacts } from '../../store/archive/manifest.ts';
import { type Destination, findPlace } from '../../store/archive/place.ts';
import { readManifest } from '../../store/archive/read-member.ts';
import { createRestorer } from '../../store/archive/restore-member.ts';
import { listAgentStores } from '../../store/find/roots.ts';
import { readSettings } from '../../store/settings/settings.ts';
import { reportActions } from '../shared/report-actions.ts';
import type { Context } from '../command.ts';
import type { PruneArgs } from './options.ts';
import { toProblem } from '../shared/select.ts';

/** `coppice prune --archive <dir> --restore <id|all>`. */
export async function restoreFromArchive(
  archive: string,
  ids: readonly string[],
  args: PruneArgs,
  context: Context,
): Promise<ExitCode> {
  const destination = await findDestination(args.store ?? [], context);
  const directory = resolve(context.cwd, archive);
  const { sessions, problems } = await readArchive(directory);
  const chosen = chooseSessions(sessions, ids);
  const applied = !args['dry-run'];
  const restoreMember = createRestorer(destination, context.now());
  const restore = async (session: ArchivedSession): Promise<PruneResult> => {
    const member = join(directory, session.member);
    await checkIndex(member, session);
    const { path } = findPlace(session.facts, destination);
    if (!applied) return toRestored(session, path, 'restore');
    const restored = await restoreMember(member);
    return toRestored(session, restored.path, restored.changed ? 'restore' : 'unchanged');
  };
  const { signal } = context;
  const outcomes = await runBatch(chosen, restore, { jobs: args.jobs, signal });
  const results = outcomes.map((outcome) => {
    if (outcome.ok) return outcome.value;
    const { item, error } = outcome;
    return toRestored(item, item.facts.path, 'fail', error.message);
  });
  const report = {
    command: 'prune',
    applied,
    results,
    columns: createRestoreColumns(context.now(), context.home),
    problems: problems.map(toProblem),
    words: { verb: 'restore', past: 'Restored', how: 'leave out --dry-run' },
  };
  return reportActions(report, args, context);
}

async function findDestination(named: readonly string[], context: Context): Promise<Destination> {
  const [store, ...others] = named;
  if (others.length > 0) throw new UsageError('--restore puts sessions into one --store');
  if (store !== undefined) return { store: resolve(context.cwd, store) };
  return { ownStores: await listAgentStores({ ...context, readSettings }) };
}

/**
 * The index only saves opening every member: it is not believed over one.
 * @throws FileError when the member says otherwise of itself.
 */
async function checkIndex(member: string, { facts }: ArchivedSession): Promise<void> {
  if (isDeepStrictEqual(toMemberFacts(await readManifest(member)), facts)) return;
  throw new FileError(
    member,
    'EARCHIVE',
    'not restored: index.ndjson describes it otherwise; remove index.ndjson and try again',
  );
}

/** Of several states of one session file, the one that was archived last. */
function chooseSessions(
  sessions: readonly ArchivedSession[],
  ids: readonly string[],
): readonly ArchivedSession[] {
  const latest = new Map<string, ArchivedSession>();
  for (const session of sessions) {
    const { path } = session.facts;
    const known = latest.get(path);
    if (!known || known.archivedAt <= session.archivedAt) latest.set(path, session);
  }
  if (ids.includes('all')) return [...latest.values()];
  const chosen = ids.flatMap((id) =>
    findById(id, [...latest.values()], {
      getId: ({ facts }) => facts.id,
      asked: `--restore ${id}`,
      unknown: 'no session in the archive has this id',
      describe: ({ facts }) => facts.id,
    }),
  );
  return [...new Set(chosen)];
}

function toRestored(
  { facts }: ArchivedSession,
  path: string,
  action: 'restore' | 'unchanged' | 'fail',
  message?: string,
): PruneResult {
  const { agent, id, cwd, title, lastActive, bytes } = facts;
  const reasons = { restore: 'from the archive', unchanged: 'is there already', fail: message };
  return {
    path,
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
