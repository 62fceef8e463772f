import { onCommandLineOnly } from './configurable.ts';
import type { OptionSpecs } from './command.ts';
import { formatOptions, runOptions, selectionOptions } from './options.ts';
import { summarizerOptions } from './summarizer-options.ts';

const WHERE = 'Where to fork (an entry: its id, a unique prefix of it, or its label):';
const NEW = 'The new session:';

export const forkOptions = {
  // It acts at once: a file must not choose for it.
  ...onCommandLineOnly(selectionOptions),
  ...formatOptions,
  ...runOptions,
  at: { type: 'string', group: WHERE, describe: 'At this entry instead of the current leaf' },
  before: { type: 'string', group: WHERE, describe: 'Before this user message' },
  whole: {
    type: 'boolean',
    default: false,
    group: WHERE,
    describe: 'Every entry of every branch',
  },
  'each-leaf': {
    type: 'boolean',
    default: false,
    group: WHERE,
    describe: 'A session for each branch',
  },
  points: {
    type: 'boolean',
    default: false,
    group: WHERE,
    describe: 'List the user messages that can be forked, and write nothing',
  },
  summarize: {
    type: 'boolean',
    default: false,
    group: NEW,
    describe: 'End it with a summary of what --at or --before leaves behind',
  },
  cwd: {
    type: 'string',
    group: NEW,
    describe: "Its working directory, and so its project's directory",
  },
  out: { type: 'string', group: NEW, describe: 'Put the file into this directory' },
  id: { type: 'string', group: NEW, describe: 'Its id' },
  name: { type: 'string', group: NEW, describe: 'Its name' },
  'dry-run': {
    type: 'boolean',
    alias: 'n',
    default: false,
    group: NEW,
    describe: 'Say what would be written, and write nothing',
  },
  // They go with --summarize, which is for one run.
  ...onCommandLineOnly(summarizerOptions),
} as const satisfies OptionSpecs;
