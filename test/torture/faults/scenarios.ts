import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sampleSession } from '../../sample-session.ts';
import { assistant, call, result, toSession, toUsage, user } from '../../session-lines.ts';
import { toJsonl } from '../../temp-dir.ts';
import { makeSession } from '../old-store.ts';
import { CODEX, FORK_ID, THREAD } from './codex-scenarios.ts';
import type { Files } from './sandbox.ts';
import { runIn, toScenario, without } from './to-scenario.ts';
import type { Scenario } from './walk.ts';

const STORE = ['--store', 'store', '--jobs', '1'];
const APPLY = [...STORE, '--apply'];

const REFUSED = new URL('../../fixtures/refused/', import.meta.url);

const OLD = { 'store/--p--/s.jsonl': makeSession(3) };

/** The oldest format: a line of the old text is an element of the array. */
const ARRAY = {
  'store/s.json': `[${makeSession(3).trimEnd().replaceAll('\n', ',\n')}]\n`,
};

const BIG = toSession([
  user('Please add a login page to the app. Never store passwords.'),
  call('c1', 'write', { path: 'src/login.ts' }),
  result('c1', 'write', 'written '.repeat(2000)),
  assistant('The login page is in src/login.ts and it works.'),
  user('And now a logout button, please.'),
  assistant('It is there. '.repeat(100), { usage: toUsage(150_000) }),
]);
const DUE = { 'store/--p--/s.jsonl': toJsonl(BIG) };
const COMPACT = ['compact', ...APPLY, '--context-window', '100000', '--keep-recent-tokens', '330'];

const toImage = (byte: number): object => {
  return { type: 'image', data: Buffer.alloc(900, byte).toString('base64'), mimeType: 'image/png' };
};
const WITH_IMAGES = toSession([
  user([{ type: 'text', text: 'Look.' }, toImage(1)]),
  assistant('Seen.'),
  user([toImage(2), toImage(1)]),
  assistant('Seen too.'),
]);
/** A fork names what it forks. */
const ONE = 'store/--p--/s.jsonl';
const IMAGES = { 'store/--p--/s.jsonl': toJsonl(WITH_IMAGES) };

/** Two records on a line, and a torn last line. */
const BROKEN = `${toJsonl(WITH_IMAGES).replace('}\n{"type":"message","id":"e2"', '}{"type":"message","id":"e2"')}{"torn`;

const NAMED = {
  'store/p/n.jsonl': toJsonl([
    { type: 'config', config: { approvalTools: [], summary: 'Old' } },
    {
      type: 'message',
      uuid: 'u1',
      parentUuid: null,
      role: 'user',
      content: 'Hello.',
      timestamp: '2026-01-02T09:30:00.000Z',
      sessionId: 'n',
    },
    { type: 'custom-title', customTitle: 'Older', sessionId: 'n' },
  ]),
};

const SAMPLES = {
  'store/proj/one.jsonl': toJsonl(sampleSession({ id: 'one', start: '2026-01-02T09:30:00.000Z' })),
  'store/proj/one/picture.png': 'picture',
  'store/proj/one.jsonl.rejected': 'rejected\n',
};
const PRUNE = ['prune', ...STORE, '--older-than', '30d', '--allow-empty'];

const PARENT = '/home/dev/orchard/old.jsonl';
const MOVING = {
  'store/--home-dev-old--/a.jsonl': toJsonl(sampleSession({ id: 'a', cwd: '/home/dev/old' })),
  'store/--home-dev-old--/a/picture.png': 'picture',
  'store/--home-dev-old--/a.jsonl.rejected': 'torn',
  'store/--home-dev-else--/b.jsonl': toJsonl(
    sampleSession({ id: 'b', cwd: '/home/dev/else', parentSession: PARENT }),
  ),
};

/** What a repair takes out is kept twice when the repair then fails: once too often, not once less. */
function sortRejected(files: Files): Files {
  const kept = [...files].filter(([path, { text }]) => !path.endsWith('.rejected') || text !== '');
  return new Map(
    kept.map(([path, state]) => {
      const untimed = state.text.replaceAll(/"time":"[^"]*"/g, '');
      const text = [...new Set(untimed.split('\n'))].join('\n');
      return [path, path.endsWith('.rejected') ? { ...state, text } : state];
    }),
  );
}

const CACHED = { normalize: without(/\.coppice-export\.json$/) };
/** What lies beside a session: it goes after it, if it can. */
const BESIDE = /picture\.png|\.rejected$|Trash/;

/** Commands that change what is there. */
export const CHANGES: readonly Scenario[] = [
  toScenario('migrate', OLD, ['migrate', ...APPLY]),
  toScenario('migrate --backup', OLD, ['migrate', ...APPLY, '--backup', '.bak']),
  toScenario('migrate --out', OLD, ['migrate', ...APPLY, '--out', 'out'], { again: [3] }),
  toScenario('migrate of a JSON array', ARRAY, ['migrate', ...APPLY]),
  toScenario('migrate --cwd', MOVING, [
    'migrate',
    ...APPLY,
    '--cwd',
    '/home/dev/old=/home/dev/new',
  ]),
  toScenario('compact', DUE, COMPACT, { appends: true }),
  toScenario(
    'compact of a file that ends in a torn line',
    { 's.jsonl': `${toJsonl(BIG)}{"t` },
    ['compact', 's.jsonl', '--apply', '--force', '--keep-recent-tokens', '330'],
    { appends: true },
  ),
  ...[
    ['--at', 'e1'],
    ['--before', 'e4'],
    ['--at', 'e1', '--summarize'],
    ['--label', 'e1=x'],
  ].map((how) =>
    toScenario(
      `fork --in-place ${how.join(' ')}`,
      DUE,
      ['fork', ONE, '--in-place', ...how, '--name', 'x', '--apply'],
      { appends: true },
    ),
  ),
  toScenario(
    'fork --in-place of a file that ends in a torn line',
    { 's.jsonl': `${toJsonl(BIG)}{"t` },
    ['fork', 's.jsonl', '--in-place', '--at', 'e1', '--apply'],
    { appends: true },
  ),
  toScenario('fork --in-place --name of a Neovate session', NAMED, [
    'fork',
    'store/p/n.jsonl',
    '--in-place',
    '--name',
    'x',
    '--apply',
  ]),
  toScenario('compact --tool-output', DUE, ['compact', ...APPLY, '--tool-output', '1kB']),
  toScenario('compact --images extract', IMAGES, ['compact', ...APPLY, '--images', 'extract']),
  toScenario('compact --images restore', IMAGES, ['compact', ...APPLY, '--images', 'restore'], {
    prepare: (root) => runIn(root, ['compact', ...APPLY, '--images', 'extract']),
  }),
  toScenario('validate --fix', { 'store/s.jsonl': BROKEN }, ['validate', ...STORE, '--fix'], {
    normalize: sortRejected,
    appends: true,
  }),
  ...['pi-marked-result', 'pi-at-the-leaf', 'neovate-stray-result'].map((name) =>
    toScenario(
      `validate --fix: ${name}`,
      { 'store/s.jsonl': readFileSync(new URL(`${name}.jsonl`, REFUSED), 'utf8') },
      ['validate', ...STORE, '--fix', '--all-branches'],
      { normalize: sortRejected, appends: true },
    ),
  ),
];

/** Commands that remove sessions, or bring them back. */
export const REMOVALS: readonly Scenario[] = [
  toScenario('prune --delete', SAMPLES, [...PRUNE, '--apply', '--delete'], { litter: BESIDE }),
  toScenario('prune --archive', SAMPLES, [...PRUNE, '--apply', '--archive', 'archive'], {
    litter: BESIDE,
    normalize: without(/index\.ndjson$/),
  }),
  toScenario('prune', SAMPLES, [...PRUNE, '--apply'], { litter: BESIDE, normalize: nameTrash }),
  toScenario('prune, to the trash of another file system', SAMPLES, [...PRUNE, '--apply'], {
    litter: BESIDE,
    normalize: nameTrash,
    always: ({ name, path, to }) =>
      name === 'rename' && !path.includes('/Trash/') && to.includes('/Trash/')
        ? { code: 'EXDEV' }
        : undefined,
  }),
  toScenario(
    'prune --restore',
    SAMPLES,
    ['prune', ...STORE, '--archive', 'archive', '--restore', 'all'],
    { prepare: (root) => runIn(root, [...PRUNE, '--apply', '--archive', 'archive']) },
  ),
];

/** Under other names in every run; the notes of what it holds do not count. */
function nameTrash(files: Files): Files {
  const kept = [...files].filter(([path]) => !/\.trashinfo$|\.cache\/coppice\//.test(path));
  return new Map(
    kept.map(([path, state]) => {
      const hash = createHash('sha256').update(state.text).digest('hex').slice(0, 8);
      const name = path.replace(/Trash\/files\/[^./][^/]*/, 'Trash/files/x');
      return [name === path ? path : `${name}-${hash}`, state];
    }),
  );
}

/** Commands that make new files. */
export const COPIES: readonly Scenario[] = [
  ...[['--whole'], ['--at', 'e2'], ['--before', 'e2'], ['--each-leaf']].map((how) =>
    toScenario(`fork ${how.join(' ')}`, IMAGES, ['fork', ONE, ...how, '--out', 'out'], {
      again: [2, 3],
    }),
  ),
  toScenario('fork', IMAGES, ['fork', ONE, '--out', 'out'], { again: [2, 3] }),
  toScenario('fork of Codex', CODEX, ['fork', THREAD, '--id', FORK_ID], {
    again: [2, 3],
    leavesTemporary: true,
  }),
  toScenario(
    'export --as archive of Codex',
    CODEX,
    ['export', '--agent', 'codex', '--as', 'archive', '--out', 'archive'],
    { normalize: without(/index\.ndjson$|\.cache\//) },
  ),
  toScenario(
    'export --as md',
    IMAGES,
    ['export', ...STORE, '--as', 'md', '--images', 'extract', '--out', 'out'],
    CACHED,
  ),
];

/** Commands that only look; for them every change is a surprise. */
export const PREVIEWS: readonly Scenario[] = [
  toScenario('list', DUE, ['list', ...STORE, '--usage']),
  toScenario('validate', DUE, ['validate', ...STORE]),
  toScenario('migrate, previewed', OLD, ['migrate', ...STORE]),
  toScenario('fork, previewed', IMAGES, ['fork', ONE, '--dry-run']),
  toScenario('fork --in-place, previewed', IMAGES, ['fork', ONE, '--in-place', '--at', 'e2']),
  toScenario(
    'compact, previewed',
    DUE,
    COMPACT.filter((word) => word !== '--apply'),
  ),
  toScenario('compact --images extract, previewed', IMAGES, [
    'compact',
    ...STORE,
    '--images',
    'extract',
    '--tool-output',
    '1kB',
  ]),
  toScenario('prune, previewed', SAMPLES, PRUNE),
];

/** What takes long, for what it shows beyond the others. */
export const SLOW: readonly Scenario[] = [
  toScenario('migrate of 600 kB', { 'store/s.jsonl': makeSession(500) }, ['migrate', ...APPLY]),
  toScenario(
    'export --as html',
    IMAGES,
    ['export', ...STORE, '--as', 'html', '--out', 'out'],
    CACHED,
  ),
  toScenario(
    'export --as parquet',
    IMAGES,
    ['export', ...STORE, '--as', 'parquet', '--out', 'o'],
    CACHED,
  ),
];
