import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { encodeTarHeader, encodeTarPadding } from '../../../src/store/archive/tar.ts';
import { FIXTURES } from '../../session/agents/neovate/recorded.ts';
import { assistant, call, result, toSession, toUsage, user } from '../../session-lines.ts';
import { toJsonl } from '../../temp-dir.ts';
import { makeHostileWorld } from './hostile-world.ts';
import { LATEST, PROJECT } from '../neovate/world.ts';

/** Steers terminals in every way, writes from the right, and looks like another line of ours. */
const EVIL =
  '../../x\u001b[2J\u001b]0;t\u0007\u009b31m\r\u202e\u200f\u2067\u2028\u{e0041}\ud800\nFORGED\n';
// What we set apart ourselves, and line breaks, are no harm.
const STEERING =
  /(?![\n\u2068\u2069])[\p{Control}\p{Format}\p{Surrogate}\p{Line_Separator}\p{Paragraph_Separator}]/u;

const TALK = toSession([
  { type: 'session_info', name: 'name' },
  { type: 'model_change', provider: 'acme', modelId: 'oak' },
  { type: 'thinking_level_change', thinkingLevel: 'high' },
  user([{ type: 'text', text: 'Look.' }]),
  call('c1', 'read', { path: 'a.ts' }),
  result('c1', 'read', 'text '.repeat(400)),
  assistant('Seen. '.repeat(90), { usage: toUsage(150_000) }),
  { type: 'custom', customType: 'kind', data: { key: 'value' } },
  { type: 'custom_message', customType: 'kind', content: 'note', display: true },
  { type: 'branch_summary', fromId: 'e3', summary: 'summary' },
  { type: 'compaction', summary: 'summary', firstKeptEntryId: 'e3', tokensBefore: 9 },
  { type: 'label', targetId: 'e3', label: 'label' },
  user('So?'),
]);

type Poison = (text: string, key: string) => string;

/** Every string in a value that the poison takes to be content. */
function poison(value: unknown, change: Poison, key = ''): unknown {
  if (typeof value === 'string') return change(value, key);
  if (Array.isArray(value)) return value.map((one) => poison(one, change, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, poison(one, change, name)]),
  );
}

const STRUCTURE = new Set(['type', 'role', 'id', 'parentId', 'timestamp', 'targetId', 'fromId']);
const IDS = new Set(['id', 'parentId', 'targetId', 'fromId', 'firstKeptEntryId', 'toolCallId']);
const WORDS = new Set(['type', 'role', 'timestamp', 'stopReason', 'version']);
const POISONS: Readonly<Record<string, Poison>> = {
  'all content': (text, key) => (STRUCTURE.has(key) || IDS.has(key) ? text : text + EVIL),
  'all ids': (text, key) => (IDS.has(key) ? text + EVIL : text),
  'types, roles and times': (text, key) =>
    WORDS.has(key) && text !== 'session' && text !== 'message' ? text + EVIL : text,
  'all names of tools and models': (_, key) => (STRUCTURE.has(key) ? _ : EVIL),
};

const ALL_COLUMNS =
  'active,created,project,session,messages,entries,branches,compactions,size,version,agent,id,models,tokens,cost,path';
const STORE = ['--store', 'store'];
const FILE = 'store/--evil\u001b[2J--/\u202es\nFORGED.jsonl';
const KEEP = ['--force', '--keep-recent-tokens', '20'];
const COMMANDS: readonly (readonly string[])[] = [
  ['list', ...STORE, '--columns', ALL_COLUMNS, '--lineage'],
  ['list', ...STORE, '--paths'],
  ...['project', 'model', 'day', 'agent'].map((by) => ['list', ...STORE, '--by', by]),
  ['list', FILE, '--entries', '--filter', 'all'],
  ['list', ...STORE, '--json'],
  ...['pretty', 'github', 'junit', 'sarif', 'gitlab', 'ndjson'].map((format) => [
    'validate',
    ...STORE,
    '--format',
    format,
  ]),
  ['validate', ...STORE, '--fix-dry-run'],
  ['migrate', ...STORE, '--cwd', '/=/somewhere'],
  ['fork', FILE, '--points'],
  ['fork', FILE, '--whole', '--dry-run'],
  ['fork', FILE, '--before', 'e3', '--dry-run'],
  ['compact', ...STORE, ...KEEP, '--show-summaries'],
  ['compact', ...STORE, '--tool-output', '1kB', '--images', 'drop'],
  ['prune', ...STORE, '--older-than', '30d', '--allow-empty'],
  ['prune', ...STORE, '--older-than', '30d', '--keep-named', '--plan-out', 'plan'],
  ['export', FILE, '--as', 'md'],
  ['export', FILE, '--as', 'text'],
  ['export', FILE, '--as', 'jsonl'],
  ['export', FILE, '--as', 'chat'],
  ['export', ...STORE, '--as', 'md', '--out', 'out'],
];

function expectHarmless(text: string, mayHoldLines = false): void {
  expect(text).not.toMatch(STEERING);
  expect(mayHoldLines ? '' : text).not.toMatch(/^FORGED/m);
}

describe.each(Object.keys(POISONS))('a session with malice in %s', (name) => {
  it.each(COMMANDS)('steers no terminal, and forges no line: command %#', async (...argv) => {
    const { write, run } = await makeHostileWorld({ columns: 200, env: { NO_COLOR: '1' } });
    const change = POISONS[name] ?? ((text) => text);
    write(FILE, toJsonl(TALK.map((line) => poison(line, change) as object)));
    const { exitCode, out, err } = await run(...argv);
    expect([0, 1, 2, 3]).toContain(exitCode);
    const isDocument = argv[0] === 'export' && !argv.includes('--out');
    expectHarmless(isDocument ? out.replaceAll('\t', '') : out, isDocument);
    expectHarmless(err);
  });
});

it.each(COMMANDS.filter((argv) => !argv.includes(FILE)))(
  'a session of Neovate with malice in every text steers no terminal: %s %s %s %s',
  async (...argv) => {
    const { write, run } = await makeHostileWorld({ columns: 200, env: { NO_COLOR: '1' } });
    const lines = readFileSync(join(FIXTURES, 'home', PROJECT, `${LATEST[0]}.jsonl`), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    const keep = new Set(['type', 'role', 'uuid', 'parentUuid', 'timestamp', 'sessionId']);
    const change: Poison = (text, key) => (keep.has(key) ? text : text + EVIL);
    write('store/projects/x/s.jsonl', toJsonl(lines.map((line) => poison(line, change) as object)));
    const { exitCode, out, err } = await run(...argv);
    expect([0, 1, 2, 3]).toContain(exitCode);
    expectHarmless(out);
    expectHarmless(err);
  },
);

describe('what a person types, or a file of theirs says', () => {
  it.each([
    [EVIL],
    ['list', EVIL],
    ['list', `--${EVIL}`],
    ['list', '--sort', EVIL],
    ['list', '--columns', EVIL],
    ['list', '--older-than', EVIL],
    ['list', '--larger-than', EVIL],
    ['list', '--shard', EVIL],
    ['list', '--store', EVIL],
    ['list', '--config', EVIL],
    ['validate', '--rule', `${EVIL}=off`],
    ['migrate', ...STORE, '--cwd', EVIL],
    ['fork', 'store/s.jsonl', '--at', EVIL],
    ['fork', 'store/s.jsonl', '--id', EVIL],
    ['compact', ...STORE, '--context-window', EVIL],
    ['prune', '--plan', EVIL],
    ['prune', '--archive', EVIL, '--restore', EVIL],
    ['export', ...STORE, '--as', EVIL],
    ['export', ...STORE, '--as', 'md', '--out', 'store'],
    ['export', 'store/s.jsonl', '--as', 'md', '--branch', EVIL],
    ['completion', EVIL],
  ])('comes back harmless in an error: %#', async (...argv) => {
    const { run, write } = await makeHostileWorld();
    write('store/s.jsonl', toJsonl(TALK));
    const { exitCode, err, out } = await run(...argv.map((word) => word.replaceAll('\0', '')));
    expect(exitCode).toBeGreaterThan(0);
    expect(exitCode).not.toBe(70);
    expectHarmless(err + out);
  });

  it.each([
    ['a section', { [EVIL]: {} }],
    ['an option', { list: { [EVIL]: 1 } }],
    ['a value', { list: { sort: EVIL } }],
  ])('comes back harmless from a configuration: %s', async (_, config) => {
    const { run, write } = await makeHostileWorld();
    write('store/s.jsonl', toJsonl(TALK));
    write('coppice.config.json', JSON.stringify(config));
    const { exitCode, err, out } = await run('list', ...STORE);
    expect(exitCode).toBe(2);
    expectHarmless(err + out);
  });

  it('is shown harmless by --print-config', async () => {
    const { run, write } = await makeHostileWorld();
    write('c.json', JSON.stringify({ list: { named: EVIL } }));
    for (const more of [[], ['--json']]) {
      const { exitCode, out } = await run('list', '--config', 'c.json', '--print-config', ...more);
      expect(exitCode).toBe(0);
      expectHarmless(out);
    }
  });
});

describe('names on the disk', () => {
  it('are reported without harm where they are not UTF-8, or hold control characters', async () => {
    const { root, run, write } = await makeHostileWorld({ columns: 200, env: { NO_COLOR: '1' } });
    write('store/good.jsonl', toJsonl(TALK));
    const bytes = Buffer.concat([
      Buffer.from(`${root}/store/`),
      Buffer.from('\xff\xfe\x1b[2J.jsonl', 'latin1'),
    ]);
    writeFileSync(bytes, toJsonl(TALK));
    for (const argv of COMMANDS.filter((one) => !one.includes(FILE))) {
      const { exitCode, out, err } = await run(...argv);
      expect([0, 1, 2, 3]).toContain(exitCode);
      expectHarmless(out + err);
    }
    await run('prune', ...STORE, '--apply', '--older-than', '30d', '--allow-empty', '--delete');
    expect(readdirSync(join(root, 'store'), 'buffer')).toHaveLength(1);
  });

  it('of directories that are searched in vain do no harm in a note', async () => {
    const { root, run } = await makeHostileWorld();
    mkdirSync(join(root, `store/${EVIL.replaceAll('/', '')}.jsonl`));
    const { exitCode, out, err } = await run('list', ...STORE);
    expect(exitCode).toBe(0);
    expectHarmless(out + err);
  });
});

describe('an archive', () => {
  it('lists what it claims to hold without harm', async () => {
    const { root, run, write } = await makeHostileWorld();
    const name = 's\u001b[2J\nFORGED.jsonl';
    const manifest = {
      schemaVersion: 1,
      agent: EVIL,
      id: EVIL,
      cwd: EVIL,
      title: EVIL,
      lastActive: EVIL,
      path: join(root, 'store', name),
      store: join(root, 'store'),
      directories: [],
      files: [{ name, size: 1, mode: 0o600, mtimeMs: 1, sha256: 'a'.repeat(64) }],
    };
    const text = Buffer.from(JSON.stringify(manifest));
    const head = { path: 'coppice.json', size: text.length, mode: 0o600, mtime: new Date(0) };
    const tar = [encodeTarHeader(head), text, encodeTarPadding(text.length), Buffer.alloc(1024)];
    write('archive/a.tar.gz', gzipSync(Buffer.concat(tar)));
    write('archive/b\u001b.tar.gz', 'nothing');
    write('archive/c.tar.gz', 'nothing');
    write('archive/index.ndjson', `${JSON.stringify({ member: EVIL, manifest })}\n`);
    for (const more of [
      ['--list'],
      ['--restore', 'all'],
      ['--restore', EVIL],
      ['--list', '--json'],
    ]) {
      const { exitCode, out, err } = await run('prune', '--archive', 'archive', ...more);
      expect([0, 2, 3]).toContain(exitCode);
      expectHarmless(out + err);
    }
  });
});

it('completion offers nothing that a terminal would obey', async () => {
  const { root, run } = await makeHostileWorld({ env: { SHELL: '/bin/zsh' } });
  const store = join(root, 'home/.pi/agent/sessions', `--${EVIL.replaceAll('/', '')}--`);
  mkdirSync(store, { recursive: true });
  for (const id of ['0199', `01${EVIL.replaceAll('/', '')}`]) {
    const path = join(store, `2026-01-01T00-00-00-000Z_${id}.jsonl`);
    writeFileSync(path, toJsonl(TALK.with(0, { ...TALK[0], id })));
    utimesSync(path, 1, 1);
  }
  const { out } = await run('--get-yargs-completions', 'coppice', 'list', '01');
  expect(out).toContain('0199:');
  expectHarmless(out);
});
