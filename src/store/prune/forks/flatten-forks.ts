import { createIdleSignal } from '../../../session/jsonl/files/idle-signal.ts';
import { basename, dirname } from 'node:path';
import { FileError } from '../../../errors.ts';
import { isSystemFailure, toFileError } from '../../../session/jsonl/files/file-error.ts';
import type { AgentWorld } from '../../../session/dialect/surroundings/world.ts';
import { type Flattened, flattenSession } from '../../../session/fork/flatten-session.ts';
import { syncDirectory } from '../../../session/jsonl/files/flush.ts';
import { createCleaner } from '../../../session/jsonl/files/temp-file.ts';
import type { Agent } from '../../../session/model/agent.ts';
import type { Candidate } from '../../../session/prune/candidate.ts';
import type { Decision } from '../../../session/prune/policy.ts';
import { openRunSources } from '../../database/read-records.ts';
import { removeStaleRows } from '../../database/rows-of-session.ts';
import { holdSession } from '../../lock/hold-session.ts';
import { findUseReason } from '../../sessions/find-use.ts';
import type { FoundCandidate } from '../candidates.ts';
import type { Link } from '../../sessions/units/unit.ts';
import type { RunSources } from '../../../session/read/summaries/looked-at.ts';
import { stoppedError } from '../../../session/model/action.ts';

export interface FlattenRun {
  readonly apply: boolean;
  /** The grace time in milliseconds: a fork that was used within it is left unchanged. */
  readonly grace: number;
  /** Returns the reason why a fork must be left unchanged. */
  readonly findObstacle?: ((fork: Candidate) => string | undefined) | undefined;
  readonly now: number;
  readonly world: AgentWorld;
  /** Ends the run between two files. */
  readonly signal: AbortSignal;
}

/** The forks that were made self-contained, or would be. */
export interface FlattenedForks {
  /** The decisions without removals of what a fork needs that cannot be made self-contained. */
  readonly decisions: readonly Decision[];
  /** The forks by the session that has them among its files. Sizes in bytes. */
  readonly forks: ReadonlyMap<Candidate, Flattened>;
  /** The errors of the system by which some could not be. */
  readonly failures: readonly FileError[];
}

/**
 * Makes every kept file self-contained that continues from a session to be removed, directly or through others:
 * those first from which no other continues. Where one cannot be, all that it needs is kept.
 */
export async function flattenForks(
  decisions: readonly Decision[],
  found: readonly FoundCandidate[],
  run: FlattenRun,
): Promise<FlattenedForks> {
  const flattening = new Flattening(decisions, found, run);
  await flattening.plan();
  if (run.apply) await flattening.apply();
  const { failures } = flattening;
  return { decisions: flattening.toDecisions(), forks: flattening.sumUp(), failures };
}

/** A kept file that continues from what is to be removed. */
interface Fork {
  readonly path: string;
  readonly agent: Agent;
  readonly candidate: Candidate;
  /** All files that it continues from, the nearest first. */
  readonly bases: readonly string[];
}

class Flattening {
  readonly #decisions: readonly Decision[];
  readonly #found: readonly FoundCandidate[];
  readonly #run: FlattenRun;
  readonly #owners = new Map<string, Candidate>();
  readonly #links = new Map<string, Link>();
  /** Sessions that were to be removed and are kept, with the reasons. */
  readonly #kept = new Map<Candidate, string>();
  readonly #failures = new Map<Fork['path'], FileError>();
  /** Takes away what runs that were killed have left in a directory. */
  readonly #clear: (directory: string) => Promise<void>;
  readonly #sources: RunSources;
  #forks: readonly Fork[] = [];
  #outcomes = new Map<Fork, Flattened>();

  constructor(decisions: readonly Decision[], found: readonly FoundCandidate[], run: FlattenRun) {
    this.#decisions = decisions;
    this.#found = found;
    this.#run = run;
    this.#clear = createCleaner(run.now);
    this.#sources = openRunSources(run.world.env);
    for (const { candidate, links } of found) {
      for (const link of links) {
        this.#owners.set(link.path, candidate);
        this.#links.set(toKey(link.home, link.id), link);
      }
    }
  }

  get failures(): readonly FileError[] {
    return [...this.#failures.values()];
  }

  /** Measures every fork; what one needs that cannot be made self-contained is kept, and so on. */
  async plan(): Promise<void> {
    let before: number;
    do {
      before = this.#kept.size;
      this.#outcomes = new Map();
      this.#forks = this.#findForks();
      for (const fork of this.#forks) await this.#try(fork, false);
    } while (this.#kept.size > before);
  }

  async apply(): Promise<void> {
    this.#outcomes = new Map();
    // A run that was killed may have rewritten some of them, which what is rewritten or removed now relies on.
    await flushHomes([...this.#links.values()].map(({ path }) => path));
    for (const fork of this.#forks) await this.#try(fork, true);
  }

  toDecisions(): readonly Decision[] {
    const known = new Set(this.#decisions.map(({ candidate }) => candidate));
    const others = [...this.sumUp().keys()].filter((one) => !known.has(one));
    return [
      ...this.#decisions.map((decision): Decision => {
        const reason = this.#kept.get(decision.owner ?? decision.candidate);
        return reason === undefined ? decision : { ...decision, action: 'keep', reasons: [reason] };
      }),
      ...others.map((candidate): Decision => {
        return { candidate, action: 'keep', reasons: ['not selected'] };
      }),
    ];
  }

  sumUp(): ReadonlyMap<Candidate, Flattened> {
    const sums = new Map<Candidate, Flattened>();
    for (const [{ candidate }, one] of this.#outcomes) {
      const { bytesBefore, bytesAfter, notices } = sums.get(candidate) ?? NOTHING;
      sums.set(candidate, {
        bytesBefore: bytesBefore + one.bytesBefore,
        bytesAfter: bytesAfter + one.bytesAfter,
        notices: [...new Set([...notices, ...one.notices])],
      });
    }
    return sums;
  }

  /** Finds the forks, the deepest first: nothing continues a fork that was not rewritten before. */
  #findForks(): readonly Fork[] {
    const removals = new Set(
      this.#decisions.flatMap(({ candidate, action, owner = candidate }) =>
        action === 'remove' && !this.#kept.has(owner) ? candidate : [],
      ),
    );
    const isRemoval = (path: string): boolean => {
      const owner = this.#owners.get(path);
      return owner !== undefined && removals.has(owner);
    };
    const forks = this.#found.flatMap(({ candidate, links }) => {
      const { agent } = candidate;
      if (agent === null || removals.has(candidate)) return [];
      return links.flatMap((link): readonly Fork[] => {
        const bases = this.#listBases(link);
        return bases.some(isRemoval) ? [{ path: link.path, agent, candidate, bases }] : [];
      });
    });
    return forks.toSorted((a, b) => b.bases.length - a.bases.length);
  }

  #listBases(link: Link): readonly string[] {
    const bases = new Set<string>();
    for (let at = this.#findBase(link); at && !bases.has(at.path); at = this.#findBase(at)) {
      bases.add(at.path);
    }
    return [...bases];
  }

  #findBase({ home, baseId }: Link): Link | undefined {
    return baseId === undefined ? undefined : this.#links.get(toKey(home, baseId));
  }

  async #try(fork: Fork, apply: boolean): Promise<void> {
    try {
      this.#outcomes.set(fork, await this.#flatten(fork, apply));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      if (isSystemFailure(error)) this.#failures.set(fork.path, error);
      const reason = `${basename(fork.path)} continues from it: ${error.message}`;
      for (const path of fork.bases) {
        const owner = this.#owners.get(path);
        if (owner && !this.#kept.has(owner)) this.#kept.set(owner, reason);
      }
    }
  }

  async #flatten({ path, agent, candidate }: Fork, apply: boolean): Promise<Flattened> {
    const { grace, now, world, signal, findObstacle } = this.#run;
    const [modified, fileModified] = [candidate.modified, candidate.fileModified].map((time) =>
      new Date(time).toISOString(),
    );
    if (signal.aborted) throw stoppedError(path);
    const obstacle = findObstacle?.(candidate);
    if (obstacle !== undefined) throw new FileError(path, 'ECHANGED', obstacle);
    const session = { agent, path, modified: modified ?? '', fileModified: fileModified ?? '' };
    const reason = candidate.obstacle ?? findUseReason(session, { grace, now, world });
    if (reason !== undefined) throw new FileError(path, 'in-use', reason);
    if (apply) await this.#clear(dirname(path));
    const work = (): Promise<Flattened> =>
      flattenSession(path, {
        apply,
        flattened: new Set(this.#forks.map((fork) => fork.path)),
        removeRows: removeStaleRows,
        sources: this.#sources,
        // A file that was begun is finished.
        signal: createIdleSignal(),
      });
    return apply ? holdSession(agent, path, work) : work();
  }
}

/** Flushes the names of files. @throws FileError */
async function flushHomes(paths: readonly string[]): Promise<void> {
  for (const home of new Set(paths.map((path) => dirname(path)))) {
    try {
      await syncDirectory(home);
    } catch (error) {
      throw toFileError(error, home, 'flush');
    }
  }
}

const NOTHING: Flattened = { bytesBefore: 0, bytesAfter: 0, notices: [] };

function toKey(home: string, id: string): string {
  return `${home}\0${id}`;
}
