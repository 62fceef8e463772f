import { UsageError } from '../../errors.ts';
import { formatCounted } from '../../session/model/text/numbers.ts';
import { REMOVAL_GRACE } from '../../session/model/in-use.ts';
import type { GroupKey, KeepRules, Limit, Policy, Span } from '../../session/prune/policy.ts';
import { parseAge } from '../select/age.ts';
import {
  parseSelection,
  type RuleContext,
  type SelectionRules,
} from '../select/selection-rules.ts';
import { parseSize } from '../select/size.ts';
import type { Selection } from '../select/selection.ts';
import type { PruneSelection } from './judge.ts';
import { NO_PATHS } from '../../session/model/paths.ts';

/** How many of something: a whole number, or all of them. */
export type Count = number | 'unlimited';

/** The rules of a user or a program for removing and keeping, as written. Ages such as `30d`. */
export interface PruneRules extends SelectionRules {
  /** Sessions with nothing of a user in them. */
  readonly empty?: boolean | undefined;
  readonly missingCwd?: boolean | undefined;
  readonly maxMessages?: number | undefined;
  readonly keepLast?: Count | undefined;
  readonly keepHourly?: Count | undefined;
  readonly keepDaily?: Count | undefined;
  readonly keepWeekly?: Count | undefined;
  readonly keepMonthly?: Count | undefined;
  readonly keepYearly?: Count | undefined;
  readonly keepWithin?: string | undefined;
  readonly keepWithinHourly?: string | undefined;
  readonly keepWithinDaily?: string | undefined;
  readonly keepWithinWeekly?: string | undefined;
  readonly keepWithinMonthly?: string | undefined;
  readonly keepWithinYearly?: string | undefined;
  readonly keepNamed?: boolean | undefined;
  readonly keepLabeled?: boolean | undefined;
  /** Ids, or unique prefixes of them. */
  readonly keepId?: readonly string[] | undefined;
  readonly groupBy?: GroupKey | undefined;
  /** Sizes such as `5GB`. */
  readonly maxTotalSize?: string | undefined;
  readonly maxSessions?: number | undefined;
  /** Sessions used within this age are kept. */
  readonly grace?: string | undefined;
  readonly includeParents?: boolean | undefined;
  readonly includeDamaged?: boolean | undefined;
  readonly includePinned?: boolean | undefined;
  readonly allowEmpty?: boolean | undefined;
  /** The part `i/n` of all sessions: of what is decided about all of them. */
  readonly shard?: string | undefined;
}

/** The rules of a caller that can make forks self-contained first. */
export interface RemovalRules extends PruneRules {
  /** Also remove the parents of kept forks, and what a kept fork continues from. */
  readonly flatten?: boolean | undefined;
}

/** The rules of a run, parsed: what decides, and what of it is known only once all sessions are read. */
export interface ParsedRules {
  /** It keeps no session by its id yet: `withKeptIds` completes it. */
  readonly policy: Policy;
  readonly selection: PruneSelection;
  readonly keepIds: readonly KeepId[];
  /** The grace as it was written, such as `1d`: a plan records it. */
  readonly grace: string;
}

/** A session to keep. */
export interface KeepId {
  /** An id, or a unique prefix of one. */
  readonly id: string;
  /** The rule in messages: `--keep-id 0199a3f1`. */
  readonly asked: string;
}

type Selector = keyof SelectionRules | 'empty' | 'missingCwd' | 'maxMessages';

/** The wording of the reason for each selector. */
const SELECTORS: Readonly<Record<Selector, (value: string) => string>> = {
  olderThan: (age) => `older than ${age}`,
  newerThan: (age) => `newer than ${age}`,
  startedBefore: (age) => `started before ${age}`,
  startedAfter: (age) => `started after ${age}`,
  largerThan: (size) => `larger than ${size}`,
  smallerThan: (size) => `smaller than ${size}`,
  empty: () => 'no user content',
  missingCwd: () => 'its working directory is gone',
  maxMessages: (count) => `at most ${count} messages`,
  named: (glob) => `named ${glob}`,
  model: (glob) => `model ${glob}`,
  formatVersion: (version) => `format version ${version}`,
  source: (source) => `started as ${source}`,
  state: (state) => state,
  expiring: (age) => `expires within ${age}`,
  agent: (agent) => `agent ${agent}`,
  project: (project) => `in ${project}`,
  last: (count) => `of the last ${count}`,
};

const KEEP_RULES = [
  'keepLast',
  'keepHourly',
  'keepDaily',
  'keepWeekly',
  'keepMonthly',
  'keepYearly',
  'keepWithin',
  'keepWithinHourly',
  'keepWithinDaily',
  'keepWithinWeekly',
  'keepWithinMonthly',
  'keepWithinYearly',
  'keepNamed',
  'keepLabeled',
] as const satisfies (keyof PruneRules)[];

const BUDGETS = ['maxTotalSize', 'maxSessions'] as const satisfies (keyof PruneRules)[];

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false;
}

interface GivenSelector {
  readonly name: string;
  readonly reason: string;
}

/** Lists the selectors that rules have, in the order of the table. */
function listSelectors(rules: PruneRules): readonly GivenSelector[] {
  const given = new Map<string, unknown>(Object.entries(rules));
  return Object.entries(SELECTORS).flatMap(([name, say]) => {
    const value = given.get(name);
    return isGiven(value) ? [{ name, reason: say(String(value)) }] : [];
  });
}

/** Returns whether rules state what may be removed. As in restic, to keep 0 is not a rule; nor is an empty list of ids. */
export function hasRules({ keepId = [], ...rules }: PruneRules): boolean {
  return (
    listSelectors(rules).length > 0 ||
    keepId.length > 0 ||
    KEEP_RULES.some((name) => Boolean(rules[name])) ||
    BUDGETS.some((name) => isGiven(rules[name]))
  );
}

/** @throws UsageError that names the rule which cannot be read. */
export function parseRules(rules: RemovalRules, context: RuleContext): ParsedRules {
  const { grace = REMOVAL_GRACE, keepId = [] } = rules;
  const label = context.toLabel('keepId');
  const selection = parseSelection(rules, context);
  return {
    policy: {
      ...toPolicy(rules, selection, context),
      grace: parseAge(grace, context.toLabel('grace'), context.now),
    },
    selection: toPruneSelection(rules, selection),
    keepIds: keepId.map((id) => ({ id, asked: `${label} ${id}` })),
    grace,
  };
}

function toPolicy(
  rules: RemovalRules,
  { activeBefore, activeAfter }: Selection,
  { now, toLabel }: RuleContext,
): Omit<Policy, 'grace'> {
  const limit = (value: number | undefined, text: string): Limit | undefined =>
    value === undefined ? undefined : { value, text };
  return {
    selectors: listSelectors(rules).map(({ reason }) => reason),
    activeBefore: limit(activeBefore, SELECTORS.olderThan(rules.olderThan ?? '')),
    activeAfter: limit(activeAfter, SELECTORS.newerThan(rules.newerThan ?? '')),
    keep: toKeepRules(rules, { now, toLabel }),
    groupBy: rules.groupBy ?? 'project',
    ...toBudgets(rules, toLabel),
    includeParents: rules.includeParents === true || rules.flatten === true,
    includeBases: rules.flatten ?? false,
    includeReferred: rules.includeParents ?? false,
    includeDamaged: rules.includeDamaged ?? false,
    includePinned: rules.includePinned ?? false,
    allowEmpty: rules.allowEmpty ?? false,
  };
}

/** The policy judges ages, and a shard is of what is decided. */
function toPruneSelection(rules: PruneRules, selected: Selection): PruneSelection {
  const { activeBefore: _before, activeAfter: _after, shard: _shard, ...rest } = selected;
  return {
    ...rest,
    withoutWork: rules.empty || undefined,
    maxMessages: rules.maxMessages,
    missingCwd: rules.missingCwd ?? false,
    includeDamaged: rules.includeDamaged ?? false,
  };
}

type WithinRule = Extract<(typeof KEEP_RULES)[number], `keepWithin${string}`>;

function toNumber(count: Count = 0): number {
  return count === 'unlimited' ? Number.POSITIVE_INFINITY : count;
}

function toKeepRules(
  rules: PruneRules,
  { now, toLabel }: Pick<RuleContext, 'now' | 'toLabel'>,
): KeepRules {
  const span = (name: WithinRule): Span | undefined => {
    const text = rules[name];
    if (text === undefined) return undefined;
    const label = toLabel(name);
    // Read once for nothing, so that a slip is a usage error.
    parseAge(text, label, now);
    return { before: (time) => time - parseAge(text, label, time), text };
  };
  return {
    periods: {
      last: toNumber(rules.keepLast),
      hourly: toNumber(rules.keepHourly),
      daily: toNumber(rules.keepDaily),
      weekly: toNumber(rules.keepWeekly),
      monthly: toNumber(rules.keepMonthly),
      yearly: toNumber(rules.keepYearly),
    },
    within: span('keepWithin'),
    withinPeriods: {
      hourly: span('keepWithinHourly'),
      daily: span('keepWithinDaily'),
      weekly: span('keepWithinWeekly'),
      monthly: span('keepWithinMonthly'),
      yearly: span('keepWithinYearly'),
    },
    named: rules.keepNamed ?? false,
    labeled: rules.keepLabeled ?? false,
    paths: NO_PATHS,
  };
}

function toBudgets(
  { maxTotalSize: size, maxSessions: count }: PruneRules,
  toLabel: RuleContext['toLabel'],
): Pick<Policy, 'maxBytes' | 'maxSessions'> {
  return {
    maxBytes:
      size === undefined
        ? undefined
        : { value: parseSize(size, toLabel('maxTotalSize')), text: `over ${size} in all` },
    maxSessions:
      count === undefined
        ? undefined
        : { value: count, text: `over ${formatCounted(count, 'session')}` },
  };
}

/** Selectors that a session with damaged lines can be asked about. */
const SURE_OF_DAMAGED: ReadonlySet<string> = new Set<Selector>([
  'project',
  'largerThan',
  'smallerThan',
  'olderThan',
  'newerThan',
  'startedBefore',
  'startedAfter',
  'agent',
]);

/**
 * The rules whose answer depends on what other shards have done, with what is different then; some only beside
 * another option.
 */
const COUNTING = [
  ['last', 'the newest are others'],
  ['newerThan', 'what was young by its forks may be old'],
  ['maxTotalSize', 'others are over the budget'],
  ['maxSessions', 'others are over the budget'],
  ['largerThan', 'forks that were made self-contained are larger', 'flatten'],
  ['model', 'forks that were made self-contained have the models of what they hold', 'flatten'],
] as const satisfies readonly (readonly [keyof PruneRules, string, 'flatten'?])[];

/** Refuses rules that would remove other sessions in a shard that plans after another has removed its part. */
function checkShard(rules: RemovalRules, toLabel: RuleContext['toLabel']): void {
  const { shard } = rules;
  if (shard === undefined) return;
  for (const [name, others, beside] of COUNTING) {
    if (rules[name] === undefined || (beside && rules[beside] !== true)) continue;
    const both = [...(beside ? [beside] : []), 'shard'].map(toLabel).join(' and ');
    throw new UsageError(
      `${toLabel(name)} ${rules[name]}: cannot be combined with ${both} in prune, since ` +
        `${others} once a shard has removed its part; write one plan (--plan-out <file>), ` +
        `and have each shard apply it (--plan <file> ${toLabel('shard')} ${shard})`,
    );
  }
}

/** Refuses to select the newest of all. @throws UsageError */
export function refuseLastAlone(rules: PruneRules, toLabel: RuleContext['toLabel']): void {
  if (rules.last === undefined || listSelectors(rules).length > 1) return;
  throw new UsageError(
    `${toLabel('last')} ${rules.last}: in prune it selects the newest sessions for removal; to ` +
      `keep them, use ${toLabel('keepLast')} ${rules.last}, or add another selector to remove ` +
      'the newest of what it selects',
  );
}

/**
 * Refuses rules that cannot mean what they say. `isNamed`: sessions were named one by one.
 * @throws UsageError
 */
export function checkRules(
  rules: RemovalRules,
  toLabel: RuleContext['toLabel'],
  isNamed: boolean,
): void {
  refuseLastAlone(rules, toLabel);
  checkShard(rules, toLabel);
  if (rules.includeDamaged !== true) return;
  const selectors = listSelectors(rules).map(({ name }) => name);
  const label = toLabel('includeDamaged');
  const unsure = selectors.filter((name) => !SURE_OF_DAMAGED.has(name));
  if (unsure.length > 0) {
    throw new UsageError(
      `${label}: cannot be combined with ${unsure.map(toLabel).join(', ')}: the lines that cannot be ` +
        'read may decide that; select by path, size, project or age',
    );
  }
  if (selectors.length === 0 && !isNamed) {
    throw new UsageError(
      `${label}: needs a selector by path, size, project or age, such as ${toLabel('olderThan')} 1y`,
    );
  }
}
