import { type Destination as AnyDestination, toDestination } from '../../store/prune/remove.ts';
import { resolve } from 'node:path';
import { UsageError } from '../../errors.ts';
import { isPromptsFile } from '../../session/dialect/surroundings/history.ts';
import { isRowsFile } from '../../store/database/restore-rows.ts';
import type { GroupKey } from '../../session/prune/policy.ts';
import {
  checkRules,
  hasRules,
  type ParsedRules,
  parseRules,
  refuseLastAlone,
  type RemovalRules,
} from '../../store/prune/parse-rules.ts';
import { parseMoment } from '../../store/select/age.ts';
import type { Context } from '../command.ts';
import {
  type OutputRequest,
  type SelectionRequest,
  toChangeRequest,
  toOutputRequest,
  toRuleContext,
  toSelectionRequest,
} from '../shared/requests.ts';
import { toOption, toRules } from '../values.ts';
import { KNOWN_THERE, type PruneArgs } from './options.ts';
import { MODES } from './policy-options.ts';

/** A path as it was given, and absolute. */
export interface GivenPath {
  readonly given: string;
  readonly path: string;
}

/** The place to which sessions are moved. */
export type Destination = AnyDestination<GivenPath>;

export interface RemovalTask {
  readonly kind: 'remove';
  readonly apply: boolean;
  readonly decidedBy: DecidedByRules | DecidedByPlan;
  readonly destination: Destination;
  /** Whether to remove the prompts of removed sessions from the list of all prompts, too. */
  readonly takesHistory: boolean;
}

/** Rules decide what is removed. */
export interface DecidedByRules {
  readonly kind: 'rules';
  readonly rules: ParsedRules;
  /** The file to write the plan to, for review. */
  readonly planOut: GivenPath | undefined;
}

/** A plan that was written before has decided it, on terms of its own. */
export interface DecidedByPlan {
  readonly kind: 'plan';
  /** Absolute. */
  readonly path: string;
  readonly groupBy: GroupKey;
  /** The sessions that the user's own configuration keeps. */
  readonly keepId: readonly string[] | undefined;
}

/** A task that is about an archive itself. */
export interface ArchiveTask {
  readonly kind: 'list' | 'check' | 'rebuild-index';
  /** Absolute. */
  readonly archive: string;
  /** Whether it is a tar on standard input instead. */
  readonly isStream: boolean;
}

/** A task that decides which states an archive keeps. */
export interface RetentionTask {
  readonly kind: 'retain';
  readonly directory: GivenPath;
  /** Undefined where no rule is about whole sessions. */
  readonly rules: ParsedRules | undefined;
  /** The number of last states to keep of each session; undefined: all of them. */
  readonly states: number | undefined;
  readonly apply: boolean;
}

/** Rows and prompts of sessions, in files beside them that came back from the trash. */
export interface KeptTask {
  readonly kind: 'kept';
  /** Absolute. */
  readonly files: readonly string[];
  readonly apply: boolean;
}

export interface RestoreTask {
  readonly kind: 'restore';
  /** Absolute. */
  readonly archive: string;
  /** Whether it is a tar on standard input instead. */
  readonly isStream: boolean;
  /** Ids, unique prefixes of them, or `all`. */
  readonly ids: readonly string[];
  /** Whether the command line names the store to restore into. */
  readonly namesStore: boolean;
  /** The last state up to then, in milliseconds; undefined: the last one. */
  readonly asOf: number | undefined;
  readonly apply: boolean;
}

export interface OrphansTask {
  readonly kind: 'orphans';
  readonly apply: boolean;
  /** Removed permanently, and not to the trash. */
  readonly isPermanent: boolean;
  /** Milliseconds. */
  readonly grace: number;
}

/** A task about what was removed before. */
export type PastTask = ArchiveTask | RestoreTask | KeptTask | RetentionTask;

export interface PruneRequest<T = RemovalTask | OrphansTask | PastTask> {
  readonly select: SelectionRequest;
  readonly output: OutputRequest;
  readonly task: T;
}

/** Turns the options into a request. @throws UsageError */
export function toPruneRequest(args: PruneArgs, context: Context): PruneRequest {
  refuseTargets(args);
  return {
    select: toSelectionRequest(args, context),
    output: toOutputRequest(args),
    task: toTask(args, context),
  };
}

const STREAM =
  '--archive -: reads a tar from standard input, for --restore, --list and --check only; name a directory';

function toTask(args: PruneArgs, context: Context): PruneRequest['task'] {
  const { archive } = args;
  const mode = MODES.find((one) => args[one] !== undefined && args[one] !== false);
  if (mode === 'orphans') return toOrphans(args, context);
  if (mode === 'in-archive') return toRetention(args, context);
  const isStream = archive === '-';
  if (isStream && (mode === undefined || mode === 'rebuild-index')) throw new UsageError(STREAM);
  const directory = archive === undefined ? undefined : toPath(archive, context);
  if (mode === 'restore') {
    return directory && !meansKeptFiles(args)
      ? toRestore(args, { archive: directory.path, isStream }, context)
      : toKeptTask(args, context);
  }
  // The archive is needed for these.
  if (mode && directory) return { kind: mode, archive: directory.path, isStream };
  return {
    kind: 'remove',
    apply: toChangeRequest(args, context).apply,
    decidedBy: toDecision(args, context),
    // A configured archive gives way to `--delete` on the command line.
    destination: toDestination(args.delete, directory),
    takesHistory: args.history,
  };
}

function toOrphans(args: PruneArgs, context: Context): OrphansTask {
  const { apply, grace } = toChangeRequest(args, context);
  return { kind: 'orphans', apply, isPermanent: args.delete, grace };
}

function toRestore(
  { restore: ids = [], 'as-of': asOf, 'dry-run': isPreview, given }: PruneArgs,
  from: Pick<RestoreTask, 'archive' | 'isStream'>,
  context: Context,
): RestoreTask {
  return {
    kind: 'restore',
    ...from,
    ids,
    namesStore: given.has('store'),
    asOf: asOf === undefined ? undefined : parseMoment(asOf, '--as-of', context.now()),
    apply: !isPreview,
  };
}

function toRetention(args: PruneArgs, context: Context): RetentionTask {
  const [written, states] = [toRules(args), args['keep-states']];
  const isAsked = hasRules(written);
  if (states === undefined && !isAsked) {
    throw new UsageError(
      `--in-archive: needs a keep rule (--keep-last 3, …) or --keep-states <n>; nothing was read`,
    );
  }
  const { apply } = toChangeRequest(args, context);
  const rules = parseRules(written, toRuleContext(context));
  const directory = toPath(args['in-archive'] ?? '', context);
  return { kind: 'retain', directory, rules: isAsked ? rules : undefined, states, apply };
}

/** The end of the name that a file has in a trash of Linux. */
const IN_TRASH = /\.[\da-f]{12}$/;

function isKept(file: string): boolean {
  return isRowsFile(file) || isPromptsFile(file);
}

/** An archive of a configuration is for what is removed: such files are in none. */
function meansKeptFiles({ restore: files = [], given }: PruneArgs): boolean {
  return !given.has('archive') && files.some((file) => isKept(file.replace(IN_TRASH, '')));
}

/** @throws UsageError for what is in no archive. */
function toKeptTask(args: PruneArgs, context: Context): KeptTask {
  const { restore: files = [] } = args;
  const other = files.find((file) => !isKept(file));
  if (other !== undefined && isKept(other.replace(IN_TRASH, ''))) {
    throw new UsageError(
      `--restore ${other}: is still in the trash; first restore it from there, with its session`,
    );
  }
  if (other !== undefined) {
    throw new UsageError(
      '--restore: needs --archive <dir>, or a file that came back from the trash beside its session: ' +
        '<rollout>.rows.json or <session>.jsonl.prompts',
    );
  }
  const selector = KNOWN_THERE.find((name) => args[name] !== undefined);
  if (selector !== undefined)
    throw new UsageError(`--${selector}: needs --archive <dir> with --restore`);
  const paths = files.map((file) => toPath(file, context).path);
  return { kind: 'kept', files: paths, apply: !args['dry-run'] };
}

function toPath(given: string, { cwd }: Context): GivenPath {
  return { given, path: resolve(cwd, given) };
}

/** A plan is a file that people edit, and no stream. */
function toPlanPath(option: string, given: string, context: Context): GivenPath {
  if (given !== '-') return toPath(given, context);
  throw new UsageError(`${option} -: needs a file; to name one of that name, write ./-`);
}

/** Mistakes in the rules are reported before anything is read. */
function toDecision(args: PruneArgs, context: Context): RemovalTask['decidedBy'] {
  const { plan, 'plan-out': out, 'group-by': groupBy } = args;
  if (plan !== undefined) {
    return {
      kind: 'plan',
      path: toPlanPath('--plan', plan, context).path,
      groupBy,
      keepId: args['keep-id'],
    };
  }
  const rules: RemovalRules = toRules(args);
  checkRules(rules, toOption, args.targets.length > 0);
  if (!hasRules(rules)) {
    throw new UsageError(args.targets.length > 0 ? ONLY_TARGETS : NOTHING_ASKED);
  }
  const own: RemovalRules = toRules(withoutConfigured(args));
  if (!hasRules(own)) throw new UsageError(ONLY_CONFIGURED);
  refuseLastAlone(own, toOption);
  return {
    kind: 'rules',
    rules: parseRules(rules, toRuleContext(context)),
    planOut: out === undefined ? undefined : toPlanPath('--plan-out', out, context),
  };
}

/**
 * Options by which a configuration narrows or protects, for every run: a run without any rule of its own would take the
 * rest for what is to be removed.
 */
const NARROWING: ReadonlySet<string> = new Set([
  'agent',
  'project',
  'named',
  'model',
  'format-version',
  'source',
  'state',
  'last',
  'newer-than',
  'started-after',
  'smaller-than',
  'keep-id',
  'keep-named',
  'keep-labeled',
] as const satisfies (keyof PruneArgs)[]);

/** The options without those that only a configuration sets, and only to narrow or protect. */
function withoutConfigured(args: PruneArgs): Partial<PruneArgs> {
  const isCounted = (name: string): boolean => args.given.has(name) || !NARROWING.has(name);
  return Object.fromEntries(Object.entries(args).filter(([name]) => isCounted(name)));
}

const WHAT_SELECTS =
  'pass a selector (--older-than 30d, --empty, …), a keep rule (--keep-last 3, …) or a budget (--max-total-size 5GB). Nothing was read.';
const NOTHING_ASKED = `nothing selects what to remove; ${WHAT_SELECTS}`;
const ONLY_CONFIGURED = `nothing selects what to remove: the configuration only narrows and protects; ${WHAT_SELECTS}`;

const ONLY_TARGETS =
  'nothing selects what to remove; targets only say where to look. To remove these sessions, add --older-than 0min, ' +
  'and --grace 0min for those of the last day. Nothing was read.';

/** The options with which the sessions are not chosen by targets. */
const WITHOUT_TARGETS = [...MODES, 'plan'] as const;

/** @throws UsageError */
function refuseTargets(args: PruneArgs): void {
  if (args.targets.length === 0) return;
  const other = WITHOUT_TARGETS.find((one) => args[one] !== undefined && args[one] !== false);
  if (other !== undefined) throw new UsageError(`--${other}: cannot be combined with targets`);
}
