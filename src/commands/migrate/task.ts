import { type Task, startClock } from '../../batch/task.ts';
import type { AgentWorld } from '../../session/dialect/surroundings/environment.ts';
import { migrateSession } from '../../session/migrate/migrate-session.ts';
import { toNoSessionError } from '../../session/read/no-session.ts';
import type { FoundFile } from '../../store/select/found-file.ts';
import { createRowMover } from '../../store/database/move-rows.ts';
import { openRunSources } from '../../store/database/read-records.ts';
import { holdSession } from '../../store/lock/hold-session.ts';
import { createNeighbourhood } from '../../store/sessions/neighbourhood.ts';
import { findRefusal, findUseReason } from '../../store/sessions/find-use.ts';
import type { MigrationResult, Relocation } from '../../session/migrate/types.ts';

export interface MigrateSetup {
  readonly apply: boolean;
  readonly backupSuffix: string | undefined;
  /** Milliseconds, as `now`; undefined: also sessions in use. */
  readonly grace: number | undefined;
  readonly now: number;
  readonly assumedCwd: string | undefined;
  readonly world: AgentWorld;
}

export interface MigrateItem extends FoundFile {
  readonly relocation: Relocation | undefined;
  readonly out: string | undefined;
}

/** Migrates session files, each as `migrateSession` has it. */
export const task: Task<MigrateSetup, MigrateItem, MigrationResult> = {
  name: 'migrate',
  atOnce: 4,
  start({ apply, backupSuffix, grace, now: startedAt, assumedCwd, world }, signal) {
    const now = startClock(startedAt);
    const sources = openRunSources(world.env);
    const around = createNeighbourhood(startedAt);
    return async ({ path, relocation, out }) => {
      // A copy leaves the session as it is.
      const find = out === undefined ? findRefusal : findUseReason;
      const result = await migrateSession(path, {
        apply,
        backupSuffix,
        findUse: (lastUse) =>
          grace === undefined ? undefined : find(lastUse, grace, now(), world),
        relocation: relocation && { ...relocation, around },
        assumedCwd,
        hold: holdSession,
        moveRows: createRowMover(),
        sources,
        out,
        signal,
      });
      if ('kind' in result) throw toNoSessionError(path, result.kind);
      return result;
    };
  },
};
