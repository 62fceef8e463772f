import type { AgentWorld } from '../../session/dialect/surroundings/world.ts';
import type { DatabaseTables } from '../../session/dialect/surroundings/records.ts';
import type { RemovalTarget, WholeRemoval } from '../remove/remove-whole.ts';
import { isNotedOpen } from '../sessions/find-use.ts';
import { isPinnedOrNamedSince } from '../sessions/units/pins.ts';
import { LateForks } from './forks/late-forks.ts';
import { LateNames } from './late-names.ts';

/** Looks, right before a session is removed, for what has come since the plan. */
export class LateChecks {
  readonly #forks = new LateForks();
  readonly #names = new LateNames();
  readonly #world: AgentWorld;

  private constructor(world: AgentWorld) {
    this.#world = world;
  }

  /** `targets`: all sessions that will be removed. @throws FileError if a directory cannot be read. */
  static async open(targets: readonly RemovalTarget[], world: AgentWorld): Promise<LateChecks> {
    const checks = new LateChecks(world);
    await checks.#forks.begin(targets);
    return checks;
  }

  /**
   * The reason why a session is kept after all; undefined if there is none. `rows`: those of the session, to which no
   * one can write until it is removed.
   * @throws FileError where that cannot be known.
   */
  async findReason(
    one: RemovalTarget,
    rows: DatabaseTables,
  ): Promise<Exclude<WholeRemoval, 'removed'> | undefined> {
    const { path, agent, id, name, unread, pin } = one.candidate;
    // A copy of a long session takes a while, in which somebody may have opened it, or pinned it.
    if (agent !== null && isNotedOpen(agent, path, this.#world)) return 'open';
    if (agent !== null && isPinnedOrNamedSince({ agent, path, id, name, unread, pin }, this.#world))
      return 'changed';
    if (await this.#names.isNamedSince(one.candidate, rows)) return 'changed';
    if (this.#forks.hasFurtherFile(one)) return 'changed';
    // A fork may have been made: it is looked for while no one can write to the databases.
    return (await this.#forks.isNeeded(one)) ? 'needed' : undefined;
  }
}
