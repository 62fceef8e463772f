import { join } from 'node:path';
import { FileError } from '../../errors.ts';
import { orFileErrorSync } from '../../session/jsonl/files/file-error.ts';
import { findClaim, isNameOf, type Sidecar } from '../../session/model/sidecar.ts';
import { type Decision, toRemovedPaths } from '../../session/prune/policy.ts';
import { getRealPath } from '../files/stat-file.ts';
import { withFiles } from '../sessions/read-prunable.ts';
import { addSidecars, listNamed, type SessionFiles } from '../sessions/session-files.ts';
import { findHeldIn, type HeldBelow } from '../sessions/sidecars/held-in.ts';
import { type NamedSidecar, Survey } from '../sessions/sidecars/survey.ts';
import type { FoundPrunable } from '../sessions/units/unit.ts';
import type { FoundCandidate } from './candidates.ts';
import { NO_PATHS } from '../../session/model/paths.ts';
import { APPEARED } from './reading/read-sessions.ts';

/** The reasons why a session is kept beside another one that came while the sessions were read, or was written to. */
const COPIED = `another file of it ${APPEARED}`;
const NOTED = 'another session may have begun to use its files; the next run decides';

/** The sidecars that a session takes along from those that go before it. */
interface Share {
  readonly path: string;
  /** The files of the session with the sidecars. */
  readonly files: SessionFiles;
  /** Paths of the other sessions. */
  readonly copies: ReadonlySet<string>;
  /** Paths of their files that have the id. */
  readonly others: ReadonlySet<string>;
}

/** A session that may take sidecars along. */
interface Heir
  extends Pick<Share, 'files' | 'copies' | 'others'>, Pick<FoundCandidate, 'candidate'> {
  readonly root: string;
  readonly shared: readonly Sidecar[];
}

type Found = readonly FoundCandidate[];

/**
 * The sidecars of several files of a session, as of one and its copy in another project. They are left while one of
 * the files is; where all are to go, the session that is removed last takes them along.
 */
export class SharedSidecars {
  readonly #survey: Survey;
  /** Each by its id and the stores that share it; undefined once one of the others is kept after all. */
  readonly #shares = new Map<string, Share | undefined>();
  /** Those of them that count, by the path of the session that takes them along. */
  #byPath: ReadonlyMap<string, Share> = new Map();
  /** The paths of sessions for which one of the others waits: they go first, and take nothing along. */
  readonly #awaited = new Set<string>();
  readonly #failures: FileError[] = [];

  constructor(survey: Survey) {
    this.#survey = survey;
  }

  /** The errors for which a session may have another file that came late. */
  get failures(): readonly FileError[] {
    return this.#failures;
  }

  /** Adds to the files of sessions what they take along. */
  addTo(read: readonly FoundPrunable[]): readonly FoundPrunable[] {
    const byPath = this.#byPath;
    if (byPath.size === 0) return read;
    return read.map((one) => {
      const share = byPath.get(one.file.path);
      return share ? { ...one, ...withFiles(one, share.files) } : one;
    });
  }

  /** Names the sessions that go before others. */
  nameCopies(found: Found): Found {
    const byPath = this.#byPath;
    if (byPath.size === 0) return found;
    return found.map((one) => {
      const share = byPath.get(one.candidate.path);
      return share ? { ...one, candidate: { ...one.candidate, copies: [...share.copies] } } : one;
    });
  }

  /** The paths of other files that go before that of a session. */
  listOthers(path: string): ReadonlySet<string> {
    return this.#byPath.get(path)?.others ?? NO_PATHS;
  }

  /**
   * Finds the sessions of which all files are to go by these decisions, and those of which one is kept after all.
   * Returns whether any were found: then it is to be decided again.
   */
  async settle(found: Found, decisions: readonly Decision[]): Promise<boolean> {
    const removed = toRemovedPaths(decisions);
    const hasChanged =
      this.#takeBack(removed, decisions) ||
      (await this.#give(found.filter(({ candidate }) => removed.has(candidate.path))));
    if (!hasChanged) return false;
    const shares = [...this.#shares.values()].flatMap((share) => share ?? []);
    this.#byPath = new Map(shares.map((share) => [share.path, share]));
    return true;
  }

  #takeBack(removed: ReadonlySet<string>, decisions: readonly Decision[]): boolean {
    let hasChanged = false;
    for (const [key, share] of this.#shares) {
      if (!share || !removed.has(share.path)) continue;
      if (![...share.copies].every((path) => removed.has(path))) this.#shares.set(key, undefined);
      else if (isAwaited(share, decisions)) {
        this.#awaited.add(share.path);
        this.#shares.delete(key);
      } else continue;
      hasChanged = true;
    }
    return hasChanged;
  }

  async #give(removed: Found): Promise<boolean> {
    let hasChanged = false;
    for (const [key, heir] of this.#findHeirs(removed)) {
      if (this.#shares.has(key)) continue;
      this.#shares.set(key, await this.#share(heir));
      hasChanged = true;
    }
    return hasChanged;
  }

  /**
   * Finds the sessions that would take along what another one has, too, or continues with, since the others were listed.
   * Returns the reason to keep each, by path.
   */
  findLate(found: Found, decisions: readonly Decision[]): ReadonlyMap<string, string> {
    const removed = toRemovedPaths(decisions);
    const survey = new Survey();
    const late = new Map<string, string>();
    for (const { candidate, files } of found) {
      const { path } = candidate;
      const place = removed.has(path) && findHeldIn(candidate);
      if (!place || !files?.files.some(createOwnTest(place))) continue;
      const { root, heldIn, shared } = place;
      const own = shared.filter((one) => files.files.some(({ name }) => isNameOf(name, one)));
      const isNoted = orFileErrorSync(() => own.some((one) => survey.isNoted(root, one)));
      if (isNoted instanceof FileError) this.#failures.push(isNoted);
      if (isNoted !== false) late.set(path, NOTED);
      if (survey.isHeldElsewhere(root, heldIn, path, this.listOthers(path))) late.set(path, COPIED);
    }
    this.#failures.push(...survey.failures);
    return late;
  }

  /**
   * Adds to the files of sessions that go before others what those take along, for an archive: each can be restored
   * without the others.
   */
  addCopied(found: Found, decisions: readonly Decision[], read: readonly FoundPrunable[]): Found {
    if (this.#byPath.size === 0) return found;
    const removed = toRemovedPaths(decisions);
    const copies = new Map(
      [...this.#byPath.values()]
        .filter(({ path }) => removed.has(path))
        .flatMap((share) => [...share.copies].map((path) => [path, share] as const)),
    );
    const files = new Map(found.map((one) => [one.candidate.path, one.files]));
    const claims = new Map(read.map(({ file, summary }) => [file.path, summary?.claims ?? []]));
    return found.map((one) => {
      const { candidate } = one;
      const share = copies.get(candidate.path);
      const taken = share && files.get(share.path);
      if (!taken || !one.files) return one;
      const place = findHeldIn(candidate);
      if (!place) return one;
      const isOwn = createOwnTest(place, claims.get(candidate.path) ?? []);
      return { ...one, files: { ...one.files, copied: listNamed(taken).filter(isOwn) } };
    });
  }

  /** Finds, of each session of which all files go, the last one by path for which none of the others waits. */
  #findHeirs(removed: Found): ReadonlyMap<string, Heir> {
    const heirs = new Map<string, Heir>();
    const sharers = removed.flatMap((found) => this.#findSharer(found) ?? []);
    if (sharers.length === 0) return heirs;
    const sessions = new Map(
      removed.flatMap(({ candidate, files }) => {
        const { root = '', files: own = [] } = files ?? {};
        return own.map(({ name }) => [join(root, name), candidate.path] as const);
      }),
    );
    for (const { key, others, ...one } of sharers) {
      const { path } = one.candidate;
      const known = others.flatMap(
        (other) => sessions.get(other) ?? sessions.get(getRealPath(other)) ?? [],
      );
      const before = heirs.get(key);
      if (known.length < others.length || (before && before.candidate.path > path)) continue;
      if (this.#awaited.has(path)) continue;
      const copies = new Set(known.filter((other) => other !== path));
      heirs.set(key, { ...one, others: new Set(others), copies });
    }
    return heirs;
  }

  #findSharer({ candidate, files }: FoundCandidate) {
    const place = files && findHeldIn(candidate);
    if (!place) return undefined;
    const { root, heldIn, shared } = place;
    const others = this.#survey.listOthers(root, heldIn, candidate.path) ?? [];
    if (others.length === 0) return undefined;
    const stores = this.#survey.listStores(root, heldIn).map(getRealPath);
    const key = JSON.stringify([heldIn.id, ...stores.toSorted()]);
    return { key, candidate, files, root, shared, others };
  }

  async #share({ candidate: { path }, files, root, shared, copies, others }: Heir): Promise<Share> {
    const { named } = await this.#survey.resolve(path, root, shared, others);
    return { path, files: await addSidecars(files, named), copies, others };
  }
}

/** Returns whether one of the sessions that go before another waits for that, as one with files that its lines name. */
function isAwaited({ path, copies }: Share, decisions: readonly Decision[]): boolean {
  const waits = new Map(decisions.map((one) => [one.candidate.path, one.waitsFor ?? []]));
  const seen = new Set(copies);
  // A set that grows is walked to its end.
  for (const one of seen) for (const before of waits.get(one) ?? []) seen.add(before.path);
  return seen.has(path);
}

/**
 * Makes a test of whether what several files of a session share is of this one. `claims`: what its lines name; anything
 * unless given.
 */
function createOwnTest(
  { shared }: HeldBelow,
  claims?: readonly string[],
): (sidecar: Pick<NamedSidecar, 'name'>) => boolean {
  return ({ name }) =>
    shared.some(
      (one) =>
        isNameOf(name, one) &&
        (!one.isClaimed || claims === undefined || findClaim(name, claims) !== undefined),
    );
}
