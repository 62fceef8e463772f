import { BY_USER } from './configurable.ts';
import { changeOptions } from './actions.ts';
import type { OptionSpecs } from './command.ts';
import { formatOptions, runOptions, selectionOptions } from './options.ts';
import { summarizerOptions } from './summarizer-options.ts';

const CONTEXT = 'Context:';

/** When a context is compacted, and how much of it. */
const contextOptions = {
  force: {
    type: 'boolean',
    default: false,
    group: CONTEXT,
    describe: 'Also sessions whose context still fits',
  },
  'context-window': {
    inConfig: { by: 'user', holds: 'pairs' },
    type: 'string',
    array: true,
    nargs: 1,
    group: CONTEXT,
    defaultDescription: "the agent's models.json, else 200000",
    describe: 'Tokens that a model takes: <tokens>, or <model glob>=<tokens> (repeatable)',
  },
  'keep-recent-tokens': {
    inConfig: BY_USER,
    type: 'number',
    group: CONTEXT,
    defaultDescription: "the agent's settings, else 20000",
    describe: 'How much of the latest messages stays as it is',
  },
  'reserve-tokens': {
    inConfig: BY_USER,
    type: 'number',
    group: CONTEXT,
    defaultDescription: "the agent's settings, else 16384",
    describe: 'How much of the window is left free',
  },
  instructions: {
    inConfig: BY_USER,
    type: 'string',
    group: CONTEXT,
    describe: 'What the summary is to look at above all',
  },
  'summary-tokens': {
    inConfig: BY_USER,
    type: 'number',
    group: CONTEXT,
    defaultDescription: 'four fifths of the reserve',
    describe: 'How long a summary may be',
  },
  'show-summaries': {
    inConfig: BY_USER,
    type: 'boolean',
    default: false,
    group: CONTEXT,
    describe: 'Print the summaries too',
  },
} as const satisfies OptionSpecs;

const REDUCE = 'Storage, in place of a context compaction:';

/** What is taken out of the file. */
const reduceOptions = {
  images: {
    choices: ['extract', 'drop', 'restore'] as const,
    group: REDUCE,
    describe: 'Put images into files beside the session, leave them out, or put them back',
  },
  'tool-output': {
    type: 'string',
    group: REDUCE,
    describe: 'Cut outputs longer than this size (20kB)',
  },
  'superseded-state': {
    type: 'boolean',
    default: false,
    group: REDUCE,
    describe: 'Take out extension state that a later snapshot replaces',
  },
  'abandoned-branches': {
    type: 'boolean',
    default: false,
    group: REDUCE,
    describe: 'Take out what is not on the current path',
  },
  summarized: {
    type: 'boolean',
    default: false,
    group: REDUCE,
    describe: 'Take out messages that a compaction already stands for',
  },
} as const satisfies OptionSpecs;

export const compactOptions = {
  ...selectionOptions,
  ...runOptions,
  ...formatOptions,
  ...changeOptions,
  ...contextOptions,
  ...summarizerOptions,
  ...reduceOptions,
} as const;
