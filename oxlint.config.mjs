// @ts-check
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

// The house, as lint sees it: docs/architecture.md shows the same in words.

/** Libraries, by what they are for. */
const PEOPLE = ['yargs', 'chalk', 'cli-progress', 'leven', 'string-width'];
const FILES = ['node:fs', 'node:fs/promises', 'tar', 'trash'];
const SEARCH = ['fast-glob'];
const PROCESSES = ['node:child_process', 'node:worker_threads'];
const JOBS = ['p-limit'];

/** The folders of src, upper ones first; each may import those behind it as far as its layer says. */
const ROOMS = [
  'cli',
  'library',
  'commands',
  'batch',
  'report',
  'export',
  'summarize',
  'store',
  'session',
];

/**
 * A folder that may import some rooms and no others, and not these libraries.
 *
 * @param {string} folder Below src, such as `session/jsonl`.
 * @param {{ rooms: readonly string[], without?: readonly string[], not?: readonly string[], above?: readonly string[], because: string }} rule
 * `rooms`: what it may import beside itself; `without`: libraries it may not; `not`: folders within
 * its own room that it may not; `above`: folders beside it that it may not.
 */
function layer(folder, { rooms, without = [], not = [], above = [], because }) {
  const [own = ''] = folder.split('/');
  const forbidden = [...ROOMS.filter((room) => room !== own && !rooms.includes(room)), ...not];
  const message = `${folder}/: ${because}`;
  return {
    files: [`src/${folder}/**/*.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: without.map((name) => ({ name, message })),
          patterns: [
            { regex: `^\\.\\.?/(.*/)?(${forbidden.join('|')})/`, message },
            ...above.map((upper) => ({
              regex: `^(\\.\\./)+${upper}/`,
              message: `${folder}/: it is below ${upper}/ in the order of the folders beside it`,
            })),
          ],
        },
      ],
    },
  };
}

/** The folders of src/store, upper ones first: each may import those behind it. */
const STORE = [
  'prune',
  'archive',
  'remove',
  'sessions',
  'lock',
  'database',
  'find',
  'output',
  'select',
  'settings',
  'files',
];

const AGENTS = readdirSync(join(import.meta.dirname, 'src/session/agents'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const dialect = {
  rooms: [],
  without: [...PEOPLE, ...FILES, ...SEARCH, ...PROCESSES, ...JOBS],
  because: 'an agent knows the model and what reads and changes lines, and no other agent',
};

const store = {
  rooms: ['session'],
  without: [...PEOPLE.filter((name) => name !== 'string-width'), ...JOBS],
  because: 'it knows where sessions live, and prints nothing',
};

const LAYERS = [
  layer('session', {
    rooms: [],
    without: [...PEOPLE, ...FILES, ...SEARCH, ...PROCESSES, ...JOBS],
    because: 'it is the lowest layer and pure; only session/jsonl opens files',
  }),
  layer('session/jsonl', {
    rooms: [],
    without: [...PEOPLE, ...SEARCH, ...JOBS, 'tar', 'trash'],
    not: [
      'agents',
      'model',
      'dialect',
      'rules',
      'migrate',
      'fork',
      'compact',
      'reduce',
      'validate',
      'prune',
    ],
    because: 'it turns bytes into lines and back, with Node alone, and knows no entries',
  }),
  layer('session/model', {
    rooms: [],
    without: [...PEOPLE, ...FILES, ...SEARCH, ...PROCESSES, ...JOBS],
    not: [
      'agents',
      'dialect',
      'rules',
      'read',
      'migrate',
      'fork',
      'compact',
      'reduce',
      'validate',
      'prune',
    ],
    because: 'the model is pure and knows no agent',
  }),
  ...AGENTS.map((agent) =>
    layer(`session/agents/${agent}`, {
      ...dialect,
      not: AGENTS.filter((other) => other !== agent),
    }),
  ),
  layer('store', store),
  ...STORE.map((folder, index) =>
    layer(`store/${folder}`, { ...store, above: STORE.slice(0, index) }),
  ),
  layer('summarize', {
    rooms: ['session'],
    without: [...PEOPLE, 'node:fs', 'node:fs/promises', ...SEARCH, 'node:worker_threads'],
    not: ['agents', 'jsonl/read', 'jsonl/write', 'jsonl/files'],
    because: 'it makes a summary of a conversation, whatever the agent',
  }),
  layer('export', {
    rooms: ['session'],
    without: ['yargs', 'chalk', ...FILES, ...SEARCH, ...JOBS],
    because: 'it makes a document of a session; others write it',
  }),
  layer('report', {
    rooms: ['session'],
    without: ['yargs', ...FILES, ...SEARCH, ...PROCESSES, ...JOBS],
    because: 'it makes text of results; it neither reads nor decides',
  }),
  layer('batch', {
    rooms: [],
    without: ['yargs', 'chalk', 'cli-progress', ...FILES, ...SEARCH],
    because: 'it runs jobs, whatever they are',
  }),
  layer('commands', {
    rooms: ['batch', 'report', 'export', 'summarize', 'store', 'session'],
    without: ['chalk', 'cli-progress', 'leven', ...FILES, ...SEARCH, ...PROCESSES, ...JOBS],
    because:
      'they put the layers together; files are for store and session/jsonl, looks for report',
  }),
  layer('library', {
    rooms: ['export', 'summarize', 'store', 'session'],
    without: [...PEOPLE, ...FILES, ...SEARCH, ...PROCESSES, ...JOBS],
    because: 'it stands on what commands stand on, and on nothing of the command line',
  }),
];

const LEAF = {
  files: ['src/errors.ts'],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex: '^(\\./.*/|\\.\\./|[^.])',
            message: 'errors.ts is a leaf: everything may import it.',
          },
        ],
      },
    ],
  },
};

export default {
  plugins: ['typescript', 'unicorn', 'import', 'promise', 'vitest', 'node'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  options: { typeAware: true },
  ignorePatterns: ['dist', 'coverage', 'samples', 'test/fixtures', 'test/package/consumer'],
  rules: {
    'max-lines': ['error', { max: 400 }],
    'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
    'no-console': 'error',
    'no-empty': 'error',
    'no-await-in-loop': 'off',
    eqeqeq: 'error',
    'prefer-const': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'import/no-default-export': 'error',
    'import/first': 'error',
    'import/no-duplicates': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'unicorn/prefer-node-protocol': 'error',
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/require-post-message-target-origin': 'off',
    'typescript/consistent-return': 'off',
    'import/no-named-as-default-member': 'off',
    'no-unused-vars': [
      'error',
      { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
    ],
  },
  overrides: [
    ...LAYERS,
    LEAF,
    {
      files: ['src/session/{agents/pi,jsonl}/scanner/assembly/*.ts'],
      rules: { 'typescript/no-unnecessary-type-assertion': 'off' },
    },
    { files: ['scripts/**', 'test/**/*.mjs'], rules: { 'no-console': 'off' } },
    {
      files: ['test/**/*.ts'],
      rules: { 'max-lines-per-function': 'off', 'typescript/no-unsafe-type-assertion': 'off' },
    },
    {
      files: ['vitest.config.ts', 'oxlint.config.mjs'],
      rules: { 'import/no-default-export': 'off' },
    },
  ],
};
