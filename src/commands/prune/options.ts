import { REMOVAL_GRACE } from '../../session/model/in-use.ts';
import { type Args, type OptionSpecs, BY_USER } from '../command.ts';
import {
  cacheOptions,
  changeOptions,
  formatOptions,
  runOptions,
  selectionOptions,
} from '../shared/options.ts';
import {
  budgetOptions,
  keepOptions,
  listOthers,
  MODES,
  ownSelectors,
  POLICY,
  protectionOptions,
  SELECTION,
} from './policy-options.ts';

const WHERE = 'Destination:';
const PLAN = 'Plans:';
const ARCHIVES = 'Archives (docs/prune.md):';

/** Selectors whose facts an archive records. */
export const KNOWN_THERE = ['agent', 'project', 'older-than', 'newer-than'] as const;

/** Options that decide which sessions are removed, but for selectors that an archive can answer. */
const NOT_KNOWN_THERE = POLICY.filter((name) => !KNOWN_THERE.some((one) => one === name));

/** Options without a meaning when an archive is only read. */
const NOT_READING: readonly string[] = ['plan', 'plan-out', 'apply', 'dry-run', 'store'];

/** Keep rules that need facts which an archive does not record. */
const UNKNOWN_THERE: ReadonlySet<string> = new Set(['keep-named', 'keep-labeled']);

const KEEP_IN_ARCHIVE: ReadonlySet<string> = new Set(
  [...Object.keys(keepOptions), 'allow-empty'].filter((name) => !UNKNOWN_THERE.has(name)),
);

const retentionOptions = {
  'in-archive': {
    isPath: true,
    type: 'string',
    value: '<dir>',
    group: ARCHIVES,
    describe: 'Apply keep rules to the archive <dir>; --apply deletes permanently',
    excludes: [
      'archive',
      'delete',
      ...listOthers('in-archive'),
      'as-of',
      'plan',
      'plan-out',
      'store',
      'grace',
      ...POLICY.filter((name) => !KEEP_IN_ARCHIVE.has(name)),
    ],
    overridesConfig: ['archive', 'store', 'grace', ...POLICY],
  },
  'keep-states': {
    isRare: true,
    type: 'number',
    range: { min: 1, max: 1_000_000 },
    value: '<n>',
    group: ARCHIVES,
    describe: 'Keep the last <n> states of each session with --in-archive',
    needs: ['in-archive'],
  },
} as const satisfies OptionSpecs;

const orphanOptions = {
  orphans: {
    type: 'boolean',
    default: false,
    group: SELECTION,
    describe: 'Remove sidecars whose session is gone, and nothing else',
    excludes: ['archive', ...listOthers('orphans'), 'as-of', 'plan', 'plan-out', ...POLICY],
  },
} as const satisfies OptionSpecs;

const historyOptions = {
  history: {
    isRare: true,
    type: 'boolean',
    default: false,
    group: WHERE,
    describe: 'Also remove the prompts of removed sessions from the prompt history of Claude Code',
    excludes: ['plan-out', ...MODES],
  },
} as const satisfies OptionSpecs;

const whereOptions = {
  archive: {
    inConfig: BY_USER,
    isPath: true,
    writesUnless: ['delete', ...MODES],
    isDirectory: true,
    type: 'string',
    value: '<dir>',
    group: WHERE,
    describe: 'Move sessions to the archive <dir>, with verified copies',
  },
  delete: {
    type: 'boolean',
    default: false,
    group: WHERE,
    describe: 'Delete sessions permanently instead of moving them to the trash',
    excludes: ['archive'],
  },
  list: {
    type: 'boolean',
    default: false,
    group: ARCHIVES,
    describe: 'List the sessions in --archive',
    needs: ['archive'],
    excludes: [...listOthers('list'), ...NOT_READING, ...NOT_KNOWN_THERE],
    overridesConfig: KNOWN_THERE,
  },
  check: {
    type: 'boolean',
    default: false,
    group: ARCHIVES,
    describe: 'Read everything in --archive back and verify each hash; exit 1 for damage',
    needs: ['archive'],
    excludes: [...listOthers('check'), ...NOT_READING, ...POLICY],
  },
  'rebuild-index': {
    isRare: true,
    type: 'boolean',
    default: false,
    group: ARCHIVES,
    describe: 'Rebuild the index of --archive from its members',
    needs: ['archive'],
    excludes: [...listOthers('rebuild-index'), ...NOT_READING, ...POLICY],
  },
  restore: {
    type: 'string',
    array: true,
    nargs: 1,
    value: '<id>',
    group: ARCHIVES,
    describe: 'Restore <id>, a prefix or all, without --apply (repeatable)',
    excludes: [...listOthers('restore'), 'plan', 'plan-out', ...NOT_KNOWN_THERE],
    overridesConfig: KNOWN_THERE,
  },
  'as-of': {
    isRare: true,
    type: 'string',
    value: '<date>',
    group: ARCHIVES,
    describe: 'Restore the state that was archived last before a date or an age',
    needs: ['restore'],
  },
  'plan-out': {
    isPath: true,
    writesUnless: [],
    type: 'string',
    value: '<file>',
    group: PLAN,
    describe: 'Write the plan to <file>, for review',
    excludes: ['apply', 'plan'],
  },
  plan: {
    isPath: true,
    type: 'string',
    value: '<file>',
    group: PLAN,
    describe: 'Remove the sessions that the plan in <file> names, if unchanged',
    // A shard of a plan is a part of what is to be removed, not of what is planned.
    excludes: ['store', 'grace', ...POLICY.filter((name) => name !== 'shard')],
  },
} as const satisfies OptionSpecs;

export const pruneOptions = {
  ...selectionOptions,
  ...cacheOptions,
  ...ownSelectors,
  ...keepOptions,
  ...budgetOptions,
  ...protectionOptions,
  ...orphanOptions,
  ...historyOptions,
  ...changeOptions,
  grace: { ...changeOptions.grace, default: REMOVAL_GRACE },
  ...whereOptions,
  ...retentionOptions,
  ...runOptions,
  ...formatOptions,
} as const satisfies OptionSpecs;

export type PruneArgs = Args<typeof pruneOptions>;
