import {
  cacheOptions,
  changeOptions,
  formatOptions,
  runOptions,
  selectionOptions,
} from '../shared/options.ts';
import { type OptionSpecs, BY_USER, type Args } from '../command.ts';
import { summarizerOptions } from '../shared/summarize/summarizer-options.ts';
import { COMPACT_HOOKS, hookOptions } from '../shared/hooks.ts';

const CONTEXT = 'Context:';

const PACKING = ['compress', 'decompress'];

/** Options that change files and add no compaction. */
const REDUCERS = [
  'images',
  'tool-output',
  'copies',
  'superseded-state',
  'abandoned-branches',
  'summarized',
  ...PACKING,
];

/** Options for when to compact a context, and how much of it. */
const contextOptions = {
  force: {
    excludes: REDUCERS,
    type: 'boolean',
    default: false,
    group: CONTEXT,
    describe: 'Compact also sessions whose context still fits',
  },
  'context-window': {
    excludes: REDUCERS,
    inConfig: { by: 'user', holds: 'pairs' },
    type: 'string',
    array: true,
    nargs: 1,
    group: CONTEXT,
    defaultDescription: "the agent's models.json, else 200000",
    describe: 'Set the context window of models: <tokens>, or <model glob>=<tokens> (repeatable)',
  },
  'keep-recent-tokens': {
    excludes: REDUCERS,
    inConfig: BY_USER,
    type: 'number',
    group: CONTEXT,
    defaultDescription: "the agent's settings, else 20000",
    describe: 'Keep this many tokens of the latest messages unchanged',
  },
  'reserve-tokens': {
    excludes: REDUCERS,
    inConfig: BY_USER,
    type: 'number',
    group: CONTEXT,
    defaultDescription: "the agent's settings, else 16384",
    describe: 'Leave this many tokens of the context window free',
  },
  instructions: {
    excludes: REDUCERS,
    inConfig: BY_USER,
    type: 'string',
    group: CONTEXT,
    describe: 'Give the summarizer additional instructions',
  },
  'summary-tokens': {
    excludes: REDUCERS,
    inConfig: BY_USER,
    type: 'number',
    group: CONTEXT,
    defaultDescription: 'four fifths of the reserve',
    describe: 'Limit each summary to this many tokens',
  },
  'show-summaries': {
    excludes: [...REDUCERS, 'json', 'format=json', 'format=ndjson'],
    inConfig: BY_USER,
    type: 'boolean',
    default: false,
    group: CONTEXT,
    describe: 'Print the summaries, too',
  },
} as const satisfies OptionSpecs;

const REDUCE = 'Storage compaction, instead of context compaction:';

/** Options for what to take out of the file. */
const reduceOptions = {
  images: {
    choices: ['extract', 'drop', 'restore'] as const,
    group: REDUCE,
    describe: 'Move images to files beside the session, replace them with a note, or put them back',
  },
  'tool-output': {
    type: 'string',
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
  compress: {
    excludes: REDUCERS.filter((name) => name !== 'compress'),
    type: 'boolean',
    default: false,
    group: REDUCE,
    describe: 'Compress session files losslessly (agents that read compressed files: Codex)',
  },
  decompress: {
    excludes: REDUCERS.filter((name) => name !== 'decompress'),
    type: 'boolean',
    default: false,
    group: REDUCE,
    describe: 'Unpack compressed files',
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
  summarizer: { ...summarizerOptions.summarizer, excludes: REDUCERS },
  hook: {
    ...hookOptions.hook,
    excludes: REDUCERS,
    describe: `With --apply, call this module's ${COMPACT_HOOKS.join(', ')}`,
  },
  ...reduceOptions,
} as const;

export type CompactArgs = Args<typeof compactOptions>;
