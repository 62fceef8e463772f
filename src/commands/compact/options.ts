import {
  cacheOptions,
  changeOptions,
  formatOptions,
  runOptions,
  selectionOptions,
} from '../shared/options.ts';
import { type OptionSpecs, BY_USER, type Args } from '../command.ts';
import { summarizerOptions } from '../shared/summarize/summarizer-options.ts';
import {
  DEFAULT_CONTEXT_WINDOW,
  DEFAULT_KEEP_RECENT_TOKENS,
  DEFAULT_RESERVE_TOKENS,
} from '../../session/dialect/compaction.ts';
import { IMAGE_MODES } from '../../session/dialect/reduction.ts';
import { COMPACT_HOOKS, hookOptions } from '../shared/hooks.ts';

const CONTEXT = 'Context:';

const REDUCE = 'Storage compaction, instead of context compaction:';

/** Options for what to take out of the file. */
const reducers = {
  images: {
    choices: IMAGE_MODES,
    group: REDUCE,
    describe: 'Move images to files beside the session, replace them with a note, or restore them',
  },
  'tool-output': {
    type: 'string',
    value: '<size>',
    group: REDUCE,
    describe: 'Cut tool outputs longer than a size, such as 20kB',
  },
  copies: {
    type: 'boolean',
    default: false,
    group: REDUCE,
    describe: 'Remove repeated requests, and lines that sub-agents have copied but no longer send',
  },
  'superseded-state': {
    type: 'boolean',
    default: false,
    group: REDUCE,
    describe: 'Remove state of extensions and of the agent that a later line replaces',
  },
  'abandoned-branches': {
    type: 'boolean',
    default: false,
    group: REDUCE,
    describe: 'Remove entries that are not on the current path',
  },
  summarized: {
    type: 'boolean',
    default: false,
    group: REDUCE,
    describe: 'Remove messages that a compaction already stands for',
  },
} as const satisfies OptionSpecs;

export const REDUCERS: readonly string[] = Object.keys(reducers);

const packingOptions = {
  compress: {
    excludes: [...REDUCERS, 'decompress'],
    type: 'boolean',
    default: false,
    group: REDUCE,
    describe: 'Compress session files losslessly (agents that read compressed files: Codex)',
  },
  decompress: {
    excludes: [...REDUCERS, 'compress'],
    type: 'boolean',
    default: false,
    group: REDUCE,
    describe: 'Decompress session files',
  },
} as const satisfies OptionSpecs;

/** The options that change files and add no compaction. */
const STORAGE = [...REDUCERS, ...Object.keys(packingOptions)];

/** Options for when to compact a context, and how much of it. */
const contextOptions = {
  force: {
    excludes: STORAGE,
    type: 'boolean',
    default: false,
    group: CONTEXT,
    describe: 'Also compact sessions whose context still fits',
  },
  'context-window': {
    excludes: STORAGE,
    inConfig: { by: 'user', holds: 'pairs' },
    type: 'string',
    array: true,
    nargs: 1,
    value: '<tokens>',
    group: CONTEXT,
    defaultDescription: `the agent's models.json, else ${DEFAULT_CONTEXT_WINDOW}`,
    describe: 'Set the context window of models: <tokens>, or <model glob>=<tokens> (repeatable)',
  },
  'keep-recent-tokens': {
    excludes: STORAGE,
    inConfig: BY_USER,
    type: 'number',
    value: '<n>',
    group: CONTEXT,
    defaultDescription: `the agent's settings, else ${DEFAULT_KEEP_RECENT_TOKENS}`,
    describe: 'Keep this many tokens of the latest messages unchanged',
  },
  'reserve-tokens': {
    excludes: STORAGE,
    inConfig: BY_USER,
    type: 'number',
    value: '<n>',
    group: CONTEXT,
    defaultDescription: `the agent's settings, else ${DEFAULT_RESERVE_TOKENS}`,
    describe: 'Leave this many tokens of the context window free',
  },
  instructions: {
    excludes: STORAGE,
    inConfig: BY_USER,
    type: 'string',
    value: '<text>',
    group: CONTEXT,
    describe: 'Add <text> to what the summarizer is asked',
  },
  'summary-tokens': {
    excludes: STORAGE,
    inConfig: BY_USER,
    type: 'number',
    range: { min: 1, max: 1_000_000 },
    value: '<n>',
    group: CONTEXT,
    defaultDescription: 'four fifths of the reserve',
    describe: 'Limit each summary to this many tokens',
  },
  'show-summaries': {
    excludes: [...STORAGE, 'json', 'format=json', 'format=ndjson'],
    inConfig: BY_USER,
    type: 'boolean',
    default: false,
    group: CONTEXT,
    describe: 'Also print the summaries',
  },
} as const satisfies OptionSpecs;

export const compactOptions = {
  ...selectionOptions,
  ...cacheOptions,
  ...runOptions,
  ...formatOptions,
  ...changeOptions,
  ...contextOptions,
  ...summarizerOptions,
  summarizer: { ...summarizerOptions.summarizer, excludes: STORAGE },
  hook: {
    ...hookOptions.hook,
    excludes: STORAGE,
    describe: `With --apply, call ${COMPACT_HOOKS.join(' and ')} of the module <file>`,
  },
  ...reducers,
  ...packingOptions,
} as const;

export type CompactArgs = Args<typeof compactOptions>;
