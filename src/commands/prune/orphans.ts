import { type ExitCode, UsageError } from '../../errors.ts';
import { createPruneColumns, type PruneResult } from '../../report/prune/columns.ts';
import { describeError, STOPPED } from '../../session/model/action.ts';
import { findStores } from '../../store/find/roots.ts';
import {
  findOdd,
  findOrphans,
  findOrphanUse,
  getOrphanPath,
  canFindOrphans,
  type Orphan,
  removeOrphan,
} from '../../store/remove/orphans.ts';
import { openTrash } from '../../store/remove/trash.ts';
import { CHANGED } from '../../store/prune/removal-result.ts';
import type { Context } from '../command.ts';
import { reportActions } from '../shared/output/report-actions.ts';
import { listResults, runSessions, splitOutcomes } from '../shared/run-sessions.ts';
import type { OrphansTask, PruneRequest } from './request.ts';

const NO_SESSION = 'its session is gone';
const NO_STORE =
  '--orphans: found no store whose sidecars name their session, as those of Claude Code and Neovate do; ' +
  'name one with --store <dir>/projects';

/** Runs `coppice prune --orphans`: removes sidecars of sessions that no longer exist. */
export async function runOrphans(
  { select, output, task }: PruneRequest<OrphansTask>,
  context: Context,
): Promise<ExitCode> {
  const { apply, isPermanent } = task;
  const stores = await findStores(select.stores, context);
  if (!stores.some(canFindOrphans)) throw new UsageError(NO_STORE);
  const run = { label: 'Searching', jobs: select.jobs, context };
  const find = (store: string) => findOrphans(store, stores, context);
  const searched = await runSessions(stores, find, run);
  const orphans = searched.flatMap((outcome) => (outcome.ok ? outcome.value : []));
  const job = await createJob(task, context);
  const toStoppedResult = (orphan: Orphan) => toResult(orphan, 'skip', STOPPED);
  const toStopped = apply ? toStoppedResult : undefined;
  const outcomes = await runSessions(orphans, job, { ...run, label: 'Removing', toStopped });
  const results = listResults(outcomes, (item, error) =>
    toResult(item, 'fail', describeError(error, getOrphanPath(item))),
  );
  return reportActions(
    {
      command: 'prune',
      applied: apply,
      results,
      columns: createPruneColumns(context.now(), context.home),
      problems: splitOutcomes(searched).problems,
      words: {
        verb: 'remove',
        past: 'Removed',
        noun: 'sidecar group',
        how: isPermanent ? 'add --apply' : 'add --apply (to the trash) or --apply --delete',
      },
    },
    output,
    context,
  );
}

async function createJob(
  { apply, isPermanent, grace }: OrphansTask,
  context: Context,
): Promise<(orphan: Orphan) => Promise<PruneResult>> {
  const move = apply && !isPermanent ? await openTrash(context) : undefined;
  return async (orphan) => {
    const odd = findOdd(orphan);
    const use = findOrphanUse(orphan, { grace, now: context.now(), world: context });
    if (use !== undefined) return toResult(orphan, 'keep', use);
    if (odd !== undefined) return toResult(orphan, 'keep', odd);
    const isRemoved = !apply || (await removeOrphan(orphan, move));
    return isRemoved ? toResult(orphan, 'remove', NO_SESSION) : toResult(orphan, 'skip', CHANGED);
  };
}

function toResult(
  orphan: Orphan,
  action: 'remove' | 'keep' | 'skip' | 'fail',
  reason: string,
): PruneResult {
  const { agent, id, latest, bytes } = orphan;
  return {
    path: getOrphanPath(orphan),
    agent,
    id,
    cwd: '',
    name: null,
    title: '',
    lastActive: new Date(latest).toISOString(),
    selected: true,
    action,
    reasons: [reason],
    bytesBefore: bytes,
    bytesAfter: action === 'remove' ? 0 : bytes,
  };
}
