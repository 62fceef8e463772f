import { FileError } from '../../errors.ts';
import type { AgentWorld } from '../../session/dialect/surroundings/world.ts';
import type { FileProblem } from '../../session/model/summary.ts';
import { type Decision, isRemoval, toRemovedPaths } from '../../session/prune/policy.ts';
import type { Referrers } from '../../session/prune/referrers.ts';
import { isNameable, ReferrerSearch } from './reading/referrers.ts';
import { type ReadAll, toPrunable, toUnreadable } from '../sessions/read-prunable.ts';
import { orFileError } from '../../session/jsonl/files/file-error.ts';
import { isGone } from '../files/stat-file.ts';
import { addClaimed } from '../sessions/sidecars/claimed-sidecars.ts';
import { SharedSidecars } from './shared-sidecars.ts';
import { createCompleter } from '../sessions/surroundings.ts';
import { Survey } from '../sessions/sidecars/survey.ts';
import { isGoneSince, toProblem } from '../select/found-file.ts';
import type { SessionFiles } from '../sessions/session-files.ts';
import { isInShard, type Shard } from '../select/shard.ts';
import { isDecidedIn } from './shard-decisions.ts';
import type { FoundPrunable, ReadSessions } from '../sessions/units/unit.ts';
import { type FoundCandidate, toCandidates } from './candidates.ts';
import { listProblems } from './list-problems.ts';
import type { PruneQuestion } from './question.ts';
import { NO_PATHS } from '../../session/model/paths.ts';

/** Decisions on facts that were read, and what could not be read on the way. */
export interface FactualPlan {
  readonly found: readonly FoundCandidate[];
  readonly decisions: readonly Decision[];
  /** Those of this part. */
  readonly problems: readonly FileProblem[];
}

/**
 * Decides, learns what the decisions depend on, and decides again until there is nothing more to learn. Of several
 * shards, each decides as if it were alone.
 */
export async function planOnFacts(
  sessions: ReadSessions,
  question: PruneQuestion,
): Promise<FactualPlan> {
  return planAgainLater(sessions, question)();
}

/** Makes a function that decides as `planOnFacts`, each time on what has come since as well. */
export function planAgainLater(
  sessions: ReadSessions,
  question: PruneQuestion,
): () => Promise<FactualPlan> {
  const facts = new Facts(sessions, question);
  return async () => {
    facts.start();
    for (;;) {
      const decided = await facts.decide();
      if (!(await facts.learnMore(decided))) return facts.conclude(decided);
    }
  };
}

/** The sessions as they are known so far, and the decisions about them. */
interface Decided {
  readonly found: readonly FoundCandidate[];
  readonly decisions: readonly Decision[];
}

/** The facts about all sessions, on which decisions are made. */
class Facts {
  readonly #listed: ReadSessions;
  readonly #question: PruneQuestion;
  /** The files that were read from end to end: a listing takes lines by their ends. */
  readonly #wholeRead = new Set<string>();
  readonly #shared: SharedSidecars;
  #known: ReadSessions;
  #search: ReferrerSearch | undefined;
  #referrers: ReadonlyMap<string, Referrers> | undefined;

  constructor(sessions: ReadSessions, question: PruneQuestion) {
    this.#listed = sessions;
    this.#known = sessions;
    this.#question = question;
    this.#shared = new SharedSidecars(sessions.survey);
  }

  /** Lets files be read again that have changed while a plan was made: each was read again only once. */
  start(): void {
    this.#known = { ...this.#known, readAgain: NO_PATHS };
  }

  async decide(): Promise<Decided> {
    const candidates = await toCandidates(await this.#withShared(), this.#question);
    const found = withReferrers(this.#shared.nameCopies(candidates), this.#referrers);
    return { found, decisions: this.#question.decide(found) };
  }

  /** Takes the first step that brings something new; false if none does. */
  async learnMore(decided: Decided): Promise<boolean> {
    return (
      (await this.#readWhole(decided)) ||
      (await this.#shared.settle(decided.found, decided.decisions)) ||
      (await this.#findReferrers(decided)) ||
      (await this.#listAgain(decided)) ||
      this.#dropTaken(decided)
    );
  }

  conclude({ found, decisions }: Decided): FactualPlan {
    const failures = [this.#search, this.#shared].flatMap((one) => one?.failures ?? []);
    const all = { found, decisions, listed: this.#listed, known: this.#known };
    return {
      found: this.#shared.addCopied(found, decisions, this.#known.read),
      decisions,
      problems: listProblems(all, this.#question, failures).filter(({ path }) =>
        isInShard(path, this.#question.shard),
      ),
    };
  }

  /** Adds what sessions that are to go take along besides their own files. */
  async #withShared(): Promise<ReadSessions> {
    const shared = this.#shared;
    const taken = { ...this.#known, read: shared.addTo(this.#known.read) };
    const read = await addClaimed(taken, this.#wholeRead, (path) => shared.listOthers(path));
    return { ...taken, read };
  }

  /** Reads from end to end what would be removed, and what a rule counts in its place. */
  async #readWhole({ found, decisions }: Decided): Promise<boolean> {
    const paths = listDecided(found, decisions).filter((path) => !this.#wholeRead.has(path));
    if (paths.length === 0) return false;
    this.#known = await replaceRead(
      this.#known,
      await this.#question.readWhole([...new Set(paths)]),
      this.#question.world,
    );
    for (const path of paths) this.#wholeRead.add(path);
    return true;
  }

  /**
   * Searches the lines of all sessions for the names of what is in the folders of those that would be removed; again
   * where these have more folders by then, as the last of several files of a session.
   */
  async #findReferrers({ found, decisions }: Decided): Promise<boolean> {
    const named = listNameable(found, decisions);
    if (named.length > 0 && this.#search?.knows(named) !== true)
      this.#search = new ReferrerSearch(found);
    if (!(await this.#search?.read(found, this.#question.signal))) return false;
    this.#referrers = this.#search?.findReferrers(this.#known.problems);
    return true;
  }

  /** Lists the stores again: a session that was moved meanwhile was not listed, and kept nothing. */
  async #listAgain({ found, decisions }: Decided): Promise<boolean> {
    const { readLate } = this.#question;
    if (!readLate) return false;
    const late = decisions.some(isRemoval) ? await readLate(this.#known) : undefined;
    if (late) this.#forget(found, late);
    const taken = late ? NO_REASONS : this.#shared.findLate(found, decisions);
    this.#known = late ?? withTaken(this.#known, taken);
    return late !== undefined || taken.size > 0;
  }

  /** Lets what was read again in one way be read again in every way. */
  #forget(found: readonly FoundCandidate[], { readAgain = NO_PATHS }: ReadSessions): void {
    const before = this.#known.readAgain ?? NO_PATHS;
    const changed = new Set([...readAgain].filter((path) => !before.has(path)));
    for (const path of changed) this.#wholeRead.delete(path);
    if (changed.size > 0) this.#search?.forget(found, changed);
  }

  /** Leaves out sessions that other shards have begun to remove: they keep nothing of this one's. */
  #dropTaken({ found, decisions }: Decided): boolean {
    const { shard } = this.#question;
    const gone = shard ? findTaken(decisions, found, shard) : [];
    if (gone.length === 0) return false;
    // One that came since was moved or compressed by its agent: no shard removes it before it has planned again.
    const listed = new Set(this.#listed.read.map(({ file }) => file.path));
    const taken = new Set(gone.filter((path) => listed.has(path)));
    if (taken.size > 0) this.#known = without(this.#known, taken);
    return taken.size > 0;
  }
}

const NO_REASONS: ReadonlyMap<string, string> = new Map();

/** `taken`: the reasons to keep sessions, by path. */
function withTaken(known: ReadSessions, taken: ReadonlyMap<string, string>): ReadSessions {
  if (taken.size === 0) return known;
  const keep = (one: FoundPrunable): FoundPrunable => {
    const reason = taken.get(one.file.path);
    return reason === undefined ? one : { ...one, obstacle: one.obstacle ?? reason };
  };
  return { ...known, read: known.read.map(keep) };
}

/** Leaves files out. What is left of them is read again when the stores are listed the next time, if it is still there. */
function without(known: ReadSessions, taken: ReadonlySet<string>): ReadSessions {
  const read = known.read.filter(({ file }) => !taken.has(file.path));
  const gone = [...taken].filter(isGone);
  return { ...known, read, foreign: new Set([...(known.foreign ?? []), ...gone]) };
}

/** Lists the paths of all files of the sessions that would be removed, or are counted in their place. */
function listDecided(
  found: readonly FoundCandidate[],
  decisions: readonly Decision[],
): readonly string[] {
  const decided = new Set(
    decisions.flatMap(({ candidate, action, isCounted }) =>
      action === 'remove' || isCounted === true ? candidate.path : [],
    ),
  );
  return found.flatMap(({ candidate, members }) => (decided.has(candidate.path) ? members : []));
}

function withReferrers(
  found: readonly FoundCandidate[],
  referrers: ReadonlyMap<string, Referrers> | undefined,
): readonly FoundCandidate[] {
  return referrers
    ? found.map((one) => {
        return { ...one, candidate: { ...one.candidate, ...referrers.get(one.candidate.path) } };
      })
    : found;
}

/** Lists the sessions that would be removed, and have files that the lines of others may name. */
function listNameable(
  found: readonly FoundCandidate[],
  decisions: readonly Decision[],
): readonly FoundCandidate[] {
  const removed = toRemovedPaths(decisions);
  if (removed.size === 0) return [];
  return found.filter((one) => removed.has(one.candidate.path) && isNameable(one));
}

/** Returns whether anything would be removed, as far as is known yet. */
export async function removesAny(
  sessions: ReadSessions,
  question: Pick<PruneQuestion, 'selection' | 'decide' | 'world' | 'now'>,
): Promise<boolean> {
  const found = await toCandidates(sessions, question);
  return question.decide(found).some(({ action }) => action === 'remove');
}

/**
 * The files of sessions that this plan keeps, though they are being removed: by other shards, which saw
 * them whole. One that is in this shard, or could not be read, is kept.
 */
function findTaken(
  decisions: readonly Decision[],
  found: readonly FoundCandidate[],
  shard: Shard,
): readonly string[] {
  const members = new Map(found.map((one) => [one.candidate.path, one.members]));
  return decisions.flatMap((decision) => {
    const { candidate, action } = decision;
    if (action === 'remove' || candidate.agent === null || isDecidedIn(decision, shard)) return [];
    const paths = members.get(candidate.path) ?? [];
    return paths.some(isGone) ? paths : [];
  });
}

async function replaceRead(
  { read, problems, ...rest }: ReadSessions,
  outcomes: Awaited<ReturnType<ReadAll>>,
  { env }: AgentWorld,
): Promise<ReadSessions> {
  const unreadFacts = [...(rest.unreadFacts ?? [])];
  const complete = createCompleter({ whole: true, sure: true, env, unreadFacts });
  const shared = { survey: new Survey(), complete };
  const again: FoundPrunable[] = [];
  const failed: FileProblem[] = [];
  for (const one of read) {
    const outcome = outcomes.get(one.file.path);
    if (!outcome) {
      again.push(one);
      continue;
    }
    const whole =
      outcome instanceof FileError
        ? outcome
        : await orFileError(() => toPrunable(one, outcome, shared));
    if (!(whole instanceof FileError)) again.push({ ...one, ...whole });
    else if (!isGoneSince(one.file, whole)) {
      again.push({ ...one, ...toUnreadable(one, whole) });
      if (one.isTarget) failed.push(toProblem(whole));
    }
  }
  return { ...rest, read: again, problems: [...problems, ...failed], unreadFacts };
}

/** Decisions about targets, and about what is removed along with them. */
export function selectTargets(
  decisions: readonly Decision[],
  found: readonly FoundCandidate[],
): readonly Decision[] {
  if (found.every(({ isTarget }) => isTarget)) return decisions;
  const targets = new Set(found.flatMap((one) => (one.isTarget ? [one.candidate] : [])));
  return decisions.filter(({ candidate, action }) => action === 'remove' || targets.has(candidate));
}

/** Maps paths to the files of each session, as they were read. */
export function indexFiles(found: readonly FoundCandidate[]): ReadonlyMap<string, SessionFiles> {
  const byPath = new Map<string, SessionFiles>();
  for (const { candidate, files } of found) if (files) byPath.set(candidate.path, files);
  return byPath;
}
