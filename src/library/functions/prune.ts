import { createIdleSignal } from '../../session/jsonl/files/idle-signal.ts';
import { resolve } from 'node:path';
import { FileError, UsageError } from '../../errors.ts';
import { agents } from '../../session/model/agent.ts';
import {
  type FileProblem,
  type SessionSummary,
  SOURCES,
  STATES,
} from '../../session/model/summary.ts';
import {
  type Decision,
  GROUP_KEYS,
  isRemoval,
  type RemovalOutcome,
} from '../../session/prune/policy.ts';
import { summarizeSession } from '../../session/read/summaries/summarize-session.ts';
import type { NoSession } from '../../session/read/no-session.ts';
import { readLate, readSessions } from '../../store/prune/reading/read-sessions.ts';
import { discoverIn } from '../../store/find/discover.ts';
import { findTargets } from '../../store/prune/reading/targets.ts';
import {
  selectTargets,
  type FactualPlan,
  planAgainLater,
  indexFiles,
} from '../../store/prune/plan-on-facts.ts';
import { toQuestion } from '../../store/prune/question.ts';
import {
  checkRules,
  hasRules,
  type ParsedRules,
  parseRules,
  type PruneRules,
} from '../../store/prune/parse-rules.ts';
import { keepDecisionsOfShard } from '../../store/prune/shard-decisions.ts';
import { applyPlan } from '../../store/prune/apply-plan.ts';
import { CHANGED } from '../../store/prune/removal-result.ts';
import { toDestination } from '../../store/prune/remove.ts';
import type { RuleContext } from '../../store/select/selection-rules.ts';
import { parseShard } from '../../store/select/shard.ts';
import { orFileError } from '../../session/jsonl/files/file-error.ts';
import { type ReadAll } from '../../store/sessions/read-prunable.ts';
import type { SessionFiles } from '../../store/sessions/session-files.ts';
import type { ReadSessions } from '../../store/sessions/units/unit.ts';
import { refuseSessionFolder } from '../../store/sessions/refuse-session-folder.ts';
import { getAgentWorld } from '../world.ts';
import { check, checkOptions, type OptionKinds } from '../arguments.ts';

/** The sessions of some stores to remove and to keep, with reasons; nothing has changed yet. */
export interface PrunePlan {
  /** The decision about every session, latest activity first. */
  readonly decisions: readonly Decision[];
  /** Each session as it was seen, by path: no other is removed. */
  readonly files: ReadonlyMap<string, SessionFiles>;
  /** Files that could not be read; they are kept. */
  readonly problems: readonly FileProblem[];
}

/** The outcome for one session that was to be removed. Sizes in bytes. */
export interface PruneOutcome extends RemovalOutcome {
  readonly path: string;
}

/** The place to which sessions are moved; the trash unless given. */
export interface PruneDestination {
  /** A directory, which `coppice prune --restore` reads. */
  readonly archive?: string | undefined;
  /** Removed sessions are kept nowhere. */
  readonly delete?: boolean | undefined;
}

/** The options of a plan, and of a run. */
export interface PruneOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** The options of a run that removes sessions. */
export interface RemovalOptions extends PruneOptions {
  /** Takes each error about what this run, or one before it, could not remove with a session, such as its rows. */
  readonly onProblem?: ((problem: FileProblem) => void) | undefined;
}

const RULE_KINDS: OptionKinds<PruneRules> = {
  agent: agents,
  project: 'path',
  olderThan: 'text',
  newerThan: 'text',
  startedBefore: 'text',
  startedAfter: 'text',
  largerThan: 'text',
  smallerThan: 'text',
  named: 'text',
  model: 'text',
  formatVersion: 'count',
  source: SOURCES,
  state: STATES,
  expiring: 'text',
  last: 'count',
  empty: 'flag',
  missingCwd: 'flag',
  maxMessages: 'count',
  keepLast: 'limit',
  keepHourly: 'limit',
  keepDaily: 'limit',
  keepWeekly: 'limit',
  keepMonthly: 'limit',
  keepYearly: 'limit',
  keepWithin: 'text',
  keepWithinHourly: 'text',
  keepWithinDaily: 'text',
  keepWithinWeekly: 'text',
  keepWithinMonthly: 'text',
  keepWithinYearly: 'text',
  keepNamed: 'flag',
  keepLabeled: 'flag',
  keepId: 'texts',
  groupBy: GROUP_KEYS,
  maxTotalSize: 'text',
  maxSessions: 'count',
  grace: 'text',
  includeParents: 'flag',
  includeDamaged: 'flag',
  includePinned: 'flag',
  allowEmpty: 'flag',
  shard: 'text',
};

const DESTINATION_KINDS: OptionKinds<PruneDestination> = { archive: 'path', delete: 'flag' };

const PLAN_KINDS: OptionKinds<PruneOptions> = { signal: 'signal', now: 'function' };
const RUN_KINDS: OptionKinds<RemovalOptions> = { ...PLAN_KINDS, onProblem: 'function' };

/** Decides again what a plan decided, by what was seen of its sessions: a program may hand on a part of the plan. */
const PLANNERS = new WeakMap<
  PrunePlan['files'],
  (signal: AbortSignal) => Promise<Pick<FactualPlan, 'decisions' | 'found'>>
>();

/** A rule has the same name in messages as in the code of its caller. */
const toLabel = (rule: string): string => rule;

/**
 * Decides for every session below some directories whether it is removed, like `coppice prune`. The
 * rules are its options in camel case: at least one selector, keep rule or budget. @throws
 * TypeError for a wrong or an unknown rule; FileError for a store that cannot be read.
 */
export async function planPrune(
  stores: readonly string[],
  rules: PruneRules,
  options: PruneOptions = {},
): Promise<PrunePlan> {
  check('stores', 'paths', stores);
  check('rules', 'object', rules);
  checkOptions(rules, RULE_KINDS);
  checkOptions(options, PLAN_KINDS);
  const { now = Date.now, signal = createIdleSignal() } = options;
  const context = { now: now(), cwd: process.cwd(), toLabel };
  try {
    const parsed = parse(rules, context);
    const shard = parseShard(rules.shard, {}, toLabel('shard'));
    const decide = await createPlanner(stores, { parsed, shard, signal, now: context.now });
    const { found, decisions, problems } = await decide(signal);
    const files = indexFiles(found);
    PLANNERS.set(files, decide);
    return {
      decisions: keepDecisionsOfShard(selectTargets(decisions, found), shard),
      files,
      problems,
    };
  } catch (error) {
    if (error instanceof UsageError) throw new TypeError(error.message, { cause: error });
    throw error;
  }
}

/** The rules and the moment of a plan. */
interface PlanTerms {
  readonly parsed: ParsedRules;
  readonly shard: ReturnType<typeof parseShard>;
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly now: number;
}

/** Reads stores, and returns a function that decides, each time on what has come since as well. */
async function createPlanner(
  stores: readonly string[],
  { parsed, shard, signal, now }: PlanTerms,
): Promise<(signal: AbortSignal) => Promise<FactualPlan>> {
  const world = getAgentWorld();
  const given = stores.map((store) => resolve(store));
  const search = { names: [], stores: given, findStores: async () => given };
  await requireStores(given);
  const targets = await findTargets(search, world);
  const run = { signal };
  const read = createReadAll(run);
  const sessions = await readSessions(targets, read, world);
  const plan = planAgainLater(sessions, {
    ...toQuestion(parsed, now, world),
    readWhole: createReadAll(run, { whole: true }),
    readLate: (known: ReadSessions) => readLate(known, read, world),
    shard,
    get signal() {
      return run.signal;
    },
  });
  return (later) => {
    run.signal = later;
    return plan();
  };
}

/**
 * A store that is not there may be on a disk that is not mounted, with forks of sessions in the others.
 * @throws FileError
 */
async function requireStores(stores: readonly string[]): Promise<void> {
  for (const store of stores) {
    const [unread] = (await discoverIn(store)).problems;
    if (unread) throw unread;
  }
}

/** Mistakes in the rules are reported before anything is read. */
function parse(rules: PruneRules, context: RuleContext): ParsedRules {
  checkRules(rules, toLabel, false);
  if (!hasRules(rules)) {
    throw new TypeError('rules: expected a selector, a keep rule or a budget; got none');
  }
  return parseRules(rules, context);
}

/** `run`: a later one may have another signal. */
function createReadAll(
  run: { readonly signal: AbortSignal },
  options: { readonly whole?: true } = {},
): ReadAll {
  return async (paths) => {
    const read = new Map<string, SessionSummary | NoSession | FileError>();
    const { signal } = run;
    for (const path of paths) {
      const summarize = () => summarizeSession(path, { usage: false, signal, ...options });
      read.set(path, await orFileError(summarize));
    }
    return read;
  };
}

/**
 * Removes the sessions that a plan removes, each with its sidecars and only if it has not changed
 * since the plan, and nothing has come that needs it: by default to the trash, with `archive` to an archive, which `coppice prune
 * --restore` reads, and permanently with `delete`. @throws TypeError for a wrong argument; FileError
 * for an archive or a trash that cannot be used; UsageError for one in the folder of a session.
 */
export async function applyPrune(
  plan: PrunePlan,
  destination: PruneDestination = {},
  options: RemovalOptions = {},
): Promise<readonly PruneOutcome[]> {
  check('plan', 'object', plan);
  check('plan.decisions', 'objects', plan.decisions);
  check('plan.files', 'map', plan.files);
  check('destination', 'object', destination);
  checkOptions(destination, DESTINATION_KINDS);
  checkOptions(options, RUN_KINDS);
  const { archive, delete: isPermanent = false } = destination;
  if (isPermanent && archive !== undefined) {
    throw new TypeError('delete: cannot be combined with archive');
  }
  const { now = Date.now, signal = createIdleSignal(), onProblem } = options;
  requireSeen(plan);
  const directory = archive === undefined ? undefined : { path: resolve(archive) };
  if (directory) await refuseSessionFolder(directory.path, 'archive');
  const late = await findLate(plan, signal);
  const decided = plan.decisions.filter(({ candidate }) => !late.has(candidate.path));
  const { removals, problems } = await applyPlan(
    { ...plan, decisions: decided },
    {
      apply: true,
      destination: toDestination(isPermanent, directory),
      world: { ...getAgentWorld(), now, signal },
      async visit(targets, remove) {
        for (const target of targets) await remove(target);
      },
    },
  );
  for (const problem of problems) onProblem?.(problem);
  return plan.decisions.filter(isRemoval).flatMap(({ candidate }): readonly PruneOutcome[] => {
    const { path } = candidate;
    const outcome = late.get(path) ?? removals.get(candidate);
    return outcome ? [{ path, ...outcome }] : [];
  });
}

function requireSeen({ decisions, files }: PrunePlan): void {
  for (const { candidate } of decisions.filter(isRemoval)) {
    if (files.has(candidate.path)) continue;
    throw new TypeError(`plan.files: expected what was seen of ${candidate.path}`);
  }
}

/** Maps the paths of sessions that are kept for what has come since the plan to their outcomes. */
async function findLate(
  plan: PrunePlan,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, RemovalOutcome>> {
  const decide = PLANNERS.get(plan.files);
  const planned = new Set(plan.decisions.filter(isRemoval).map(({ candidate }) => candidate.path));
  const late = new Map<string, RemovalOutcome>();
  if (!decide || planned.size === 0) return late;
  const { decisions, found } = await decide(signal);
  const files = indexFiles(found);
  for (const { action, candidate, reasons } of decisions) {
    const { path, bytes } = candidate;
    if (!planned.has(path)) continue;
    const why = action === 'keep' ? reasons : findTaken(plan.files.get(path), files.get(path));
    if (!why) continue;
    late.set(path, { action: 'skip', reasons: why, bytesBefore: bytes, bytesAfter: bytes });
  }
  return late;
}

/** Returns the reason to keep a session of whose files one may be another's by now, as a plan that its lines name as well. */
function findTaken(
  before: SessionFiles | undefined,
  now: SessionFiles | undefined,
): readonly string[] | undefined {
  const own = new Set(now?.files.map(({ name }) => name));
  return before?.files.every(({ name }) => own.has(name)) === true ? undefined : [CHANGED];
}
