import { type Args, onCommandLineOnly, type OptionSpecs } from '../command.ts';
import { FORK_HOOKS, hookOptions } from '../shared/hooks.ts';
import {
  cacheOptions,
  changeOptions,
  formatOptions,
  runOptions,
  selectionOptions,
} from '../shared/options.ts';
import { summarizerOptions } from '../shared/summarize/summarizer-options.ts';

const WHERE = 'Fork point (<entry>: an id, a unique prefix of one, or a label):';

const NEW = 'New session:';

const IN_PLACE = 'The session itself:';

export const forkOptions = {
  // It acts at once: a file must not choose for it.
  ...onCommandLineOnly(selectionOptions),
  ...cacheOptions,
  ...formatOptions,
  ...runOptions,
  at: {
    excludes: ['before', 'whole', 'each-leaf', 'points'],
    type: 'string',
    value: '<entry>',
    group: WHERE,
    describe: 'Fork at <entry> instead of the current leaf',
  },
  before: {
    excludes: ['whole', 'each-leaf', 'points'],
    type: 'string',
    value: '<entry>',
    group: WHERE,
    describe: 'Fork before <entry>, a user message, and report its text',
  },
  whole: {
    excludes: ['each-leaf', 'points'],
    type: 'boolean',
    default: false,
    group: WHERE,
    describe: 'Copy every entry of every branch',
  },
  'each-leaf': {
    excludes: ['points', 'id'],
    type: 'boolean',
    default: false,
    group: WHERE,
    describe: 'Make a session for each branch',
  },
  points: {
    excludes: ['cwd', 'out', 'id', 'name', 'dry-run'],
    type: 'boolean',
    default: false,
    group: WHERE,
    describe: 'List the user messages that --before takes; write nothing',
  },
  summarize: {
    needs: ['at', 'before'],
    type: 'boolean',
    default: false,
    group: NEW,
    describe: 'End with a summary of what --at or --before leaves behind',
  },
  'in-place': {
    excludes: ['out', 'id', 'cwd', 'whole', 'each-leaf', 'points'],
    needs: ['at', 'before', 'name', 'label'],
    type: 'boolean',
    default: false,
    group: IN_PLACE,
    describe: 'Change the session itself: its current leaf (--at, --before), --name or --label',
  },
  label: {
    needs: ['in-place'],
    type: 'string',
    array: true,
    nargs: 1,
    value: '<entry>=<text>',
    group: IN_PLACE,
    describe: 'Label an entry, as <entry>=<text>; without text, remove its label (repeatable)',
  },
  apply: {
    ...changeOptions.apply,
    needs: ['in-place'],
    group: IN_PLACE,
    describe: 'With --in-place, apply the changes (default: preview)',
  },
  grace: {
    ...changeOptions.grace,
    needs: ['in-place'],
    group: IN_PLACE,
    describe: 'With --in-place, skip sessions used within this period',
  },
  cwd: {
    isPath: true,
    type: 'string',
    value: '<dir>',
    group: NEW,
    describe: 'Set the working directory; in a store, write into the directory of that project',
  },
  out: {
    isPath: true,
    writesUnless: [],
    isDirectory: true,
    type: 'string',
    value: '<dir>',
    group: NEW,
    describe: 'Write the file into <dir>',
  },
  id: { type: 'string', value: '<id>', group: NEW, describe: 'Set the id' },
  name: {
    type: 'string',
    value: '<text>',
    group: NEW,
    describe: 'Set the name; with --in-place, that of the session itself',
  },
  'dry-run': {
    type: 'boolean',
    alias: 'n',
    default: false,
    group: NEW,
    describe: 'Preview; write nothing',
  },
  hook: {
    ...hookOptions.hook,
    needs: ['at', 'before'],
    excludes: ['points'],
    describe: `Call ${FORK_HOOKS.join(' and ')} of the module <file>`,
  },
  // A run that summarizes is asked for on the command line.
  ...onCommandLineOnly(summarizerOptions),
  summarizer: { ...onCommandLineOnly(summarizerOptions).summarizer, needs: ['summarize'] },
} as const satisfies OptionSpecs;

export type ForkArgs = Args<typeof forkOptions>;
