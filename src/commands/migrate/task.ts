import { type Task, startClock } from '../../batch/task.ts';
import type { AgentWorld } from '../../session/dialect/surroundings/world.ts';
import { migrateSession } from '../../session/migrate/migrate-session.ts';
import { toNoSessionError } from '../../session/read/no-session.ts';
import type { FoundFile } from '../../store/select/found-file.ts';
import { createRowMover } from '../../store/database/move-rows.ts';
import { openRunSources } from '../../store/database/read-records.ts';
import { holdSession } from '../../store/lock/hold-session.ts';
import { createNeighbourhood } from '../../store/sessions/neighbourhood.ts';
import { findRefusal, findUseReason } from '../../store/sessions/find-use.ts';
import {
  type MigrationResult,
  type Relocation,
  toUnchangedResult,
} from '../../session/migrate/types.ts';
import { isChange, LINKED_TO_CHANGE } from '../../session/model/action.ts';

export interface MigrateSetup {
  readonly apply: boolean;
  /** Leaves sessions behind links as they are. */
  readonly skipsLinked: boolean;
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
  start(setup, signal) {
    const { apply, skipsLinked, backupSuffix, grace, now: startedAt, assumedCwd, world } = setup;
    const now = startClock(startedAt);
    const sources = openRunSources(world.env);
    const around = createNeighbourhood(startedAt);
    return async ({ path, linked, relocation, out }) => {
      const isSkipped = linked && skipsLinked;
      // A copy leaves the session as it is.
      const find = out === undefined ? findRefusal : findUseReason;
      const result = await migrateSession(path, {
        apply: apply && !isSkipped,
        backupSuffix,
        findUse: (lastUse) =>
          grace === undefined ? undefined : find(lastUse, { grace, now: now(), world }),
        relocation: relocation && { ...relocation, around },
        assumedCwd,
        hold: holdSession,
        moveRows: createRowMover(),
        sources,
        out,
        signal,
      });
      if ('kind' in result) throw toNoSessionError(path, result.kind);
      return isSkipped ? skipLinked(result) : result;
    };
  },
};

/** Turns the change of a session behind a link into a skip. */
function skipLinked(result: MigrationResult): MigrationResult {
  if (!isChange(result)) return result;
  const { path, bytesBefore: size, fromVersion: formatVersion } = result;
  const facts = { path, size, formatVersion };
  return toUnchangedResult(facts, { action: 'skip', reasons: [LINKED_TO_CHANGE] });
}
