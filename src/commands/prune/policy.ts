import { UsageError } from '../../errors.ts';
import type { KeepRules, Limit, Policy, Span } from '../../session/prune/policy.ts';
import { parseAge, parseMoment } from '../../store/select/age.ts';
import { parseSize } from '../../store/select/size.ts';
import type { Context } from '../command.ts';
import type { PruneArgs } from './options.ts';
import type { Count } from '../values.ts';

/** How the reason reads for what each selector chose; an empty text says nothing. */
const SELECTORS: readonly [keyof PruneArgs, (value: string) => string][] = [
  ['older-than', (age) => `older than ${age}`],
  ['newer-than', (age) => `newer than ${age}`],
  ['started-before', (age) => `started before ${age}`],
  ['started-after', (age) => `started after ${age}`],
  ['larger-than', (size) => `larger than ${size}`],
  ['smaller-than', (size) => `smaller than ${size}`],
  ['empty', () => 'nothing of a user in it'],
  ['missing-cwd', () => 'its working directory is gone'],
  ['max-messages', (count) => `at most ${count} messages`],
  ['named', (glob) => `named ${glob}`],
  ['model', (glob) => `model ${glob}`],
  ['format-version', (version) => `format version ${version}`],
  ['agent', (agent) => `of ${agent}`],
  ['project', (project) => `in ${project}`],
  ['last', (count) => `of the last ${count}`],
];

const RULES = [
  'keep-last',
  'keep-hourly',
  'keep-daily',
  'keep-weekly',
  'keep-monthly',
  'keep-yearly',
  'keep-within',
  'keep-within-hourly',
  'keep-within-daily',
  'keep-within-weekly',
  'keep-within-monthly',
  'keep-within-yearly',
  'keep-named',
  'keep-labeled',
  'keep-id',
] as const;

const BUDGETS = ['max-total-size', 'max-sessions'] as const;

/** Stands for no selector, rule or budget, whatever a configuration file says. */
export const NO_POLICY: object = Object.fromEntries(
  [...SELECTORS.map(([name]) => name), ...RULES, ...BUDGETS].map((name) => [name, undefined]),
);

/** The options that say what may go or stay. As in restic, to keep 0 is not a rule. */
function listPolicyOptions(args: PruneArgs): readonly string[] {
  const selectors = SELECTORS.map(([name]) => name).filter((name) => isGiven(args[name]));
  const rules = RULES.filter((name) => Boolean(args[name]));
  return [...selectors, ...rules, ...BUDGETS.filter((name) => isGiven(args[name]))];
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false;
}

/** What the options ask for. `keptPaths`: the sessions that `--keep-id` names. */
export function toPolicy(
  args: PruneArgs,
  keptPaths: ReadonlySet<string>,
  context: Context,
): Policy {
  const now = context.now();
  const moment = (name: 'older-than' | 'newer-than', phrase: string): Limit | undefined => {
    const text = args[name];
    if (text === undefined) return undefined;
    return { value: parseMoment(text, `--${name}`, now), text: `${phrase} ${text}` };
  };
  return {
    selectors: listReasons(args),
    activeBefore: moment('older-than', 'older than'),
    activeAfter: moment('newer-than', 'newer than'),
    keep: toKeepRules(args, keptPaths, now),
    groupBy: args['group-by'],
    ...toBudgets(args),
    grace: parseAge(args.grace, '--grace', now),
    includeParents: args['include-parents'],
    includeDamaged: args['include-damaged'],
    allowEmpty: args['allow-empty'],
    sharded: args.shard !== undefined,
  };
}

function listReasons(args: PruneArgs): readonly string[] {
  return SELECTORS.flatMap(([name, say]) => {
    const value = args[name];
    return isGiven(value) ? [say(String(value))] : [];
  });
}

type WithinOption = Extract<(typeof RULES)[number], `keep-within${string}`>;

function toNumber(count: Count = 0): number {
  return count === 'unlimited' ? Number.POSITIVE_INFINITY : count;
}

function toKeepRules(args: PruneArgs, paths: ReadonlySet<string>, now: number): KeepRules {
  const span = (name: WithinOption): Span | undefined => {
    const text = args[name];
    if (text === undefined) return undefined;
    // Read once for nothing, so that a slip is a usage error.
    parseAge(text, `--${name}`, now);
    return { before: (time) => time - parseAge(text, `--${name}`, time), text };
  };
  return {
    periods: {
      last: toNumber(args['keep-last']),
      hourly: toNumber(args['keep-hourly']),
      daily: toNumber(args['keep-daily']),
      weekly: toNumber(args['keep-weekly']),
      monthly: toNumber(args['keep-monthly']),
      yearly: toNumber(args['keep-yearly']),
    },
    within: span('keep-within'),
    withinPeriods: {
      hourly: span('keep-within-hourly'),
      daily: span('keep-within-daily'),
      weekly: span('keep-within-weekly'),
      monthly: span('keep-within-monthly'),
      yearly: span('keep-within-yearly'),
    },
    named: args['keep-named'],
    labeled: args['keep-labeled'],
    paths,
  };
}

function toBudgets(args: PruneArgs): Pick<Policy, 'maxBytes' | 'maxSessions'> {
  const [size, count] = [args['max-total-size'], args['max-sessions']];
  return {
    maxBytes:
      size === undefined
        ? undefined
        : { value: parseSize(size, '--max-total-size'), text: `over ${size} in all` },
    maxSessions: count === undefined ? undefined : { value: count, text: `over ${count} sessions` },
  };
}

/** Selectors that a session with damaged lines can be asked about. */
const SURE_OF_DAMAGED: ReadonlySet<string> = new Set([
  'project',
  'larger-than',
  'smaller-than',
  'older-than',
  'newer-than',
  'started-before',
  'started-after',
  'agent',
]);

/** @throws UsageError unless the options say what may go. */
export function checkPolicy(args: PruneArgs): void {
  const given = listPolicyOptions(args);
  const selectors = SELECTORS.map(([name]) => name).filter((name) => isGiven(args[name]));
  if (selectors.length === 1 && args.last !== undefined) {
    throw new UsageError(
      `--last ${args.last}: in prune it selects the newest sessions for removal; to keep them, use ` +
        `--keep-last ${args.last}, or add another selector to remove the newest of what it selects`,
    );
  }
  if (args['include-damaged']) checkDamaged(selectors, args);
  if (given.length > 0) return;
  throw new UsageError(
    'what may go? Name a selector (--older-than 30d, --empty, …), a keep rule (--keep-last 3, …) ' +
      'or a budget (--max-total-size 5GB). Nothing was read.',
  );
}

/** @throws UsageError for a selector by something that a damaged session may say elsewhere. */
function checkDamaged(selectors: readonly (keyof PruneArgs)[], args: PruneArgs): void {
  const unsure = selectors.filter((name) => !SURE_OF_DAMAGED.has(name));
  if (unsure.length > 0) {
    throw new UsageError(
      `--include-damaged: cannot be used with --${unsure.join(', --')}, which would need the lines ` +
        'that cannot be read; select by path, size, project or age',
    );
  }
  if (selectors.length === 0 && args.targets.length === 0) {
    throw new UsageError(
      '--include-damaged: needs a selector by path, size, project or age, such as --older-than 1y',
    );
  }
}
