import {
  appendFileSync,
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  symlinkSync,
} from 'node:fs';
import { readFile, utimes } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { system } from '../../../src/session/jsonl/files/system.ts';
import { tryLock } from '../../../src/store/lock/flock.ts';
import { findHolder } from '../../../src/store/sessions/find-use.ts';
import { getRecorded, placeIn } from '../../session/agents/codex/corpus.ts';
import { NOW, runTest } from '../../memory-terminal.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const ID = 'aaaaaaaa-0000-4000-8000-000000000001';
const LINES = [
  { type: 'user', uuid: 'user-1', parentUuid: null, message: { role: 'user', content: 'Hello' } },
  { type: 'api-request', id: 'copy' },
].map((line) => `${JSON.stringify({ ...line, sessionId: ID, cwd: '/w/old' })}\n`);
/** What `validate --fix` repairs. */
const TORN = '{"type":"user","uuid":"user-2","par';

/** The argument of `--cwd`, by the working directory of the session. */
const MOVE = 'old=new';

const CHANGES: readonly (readonly string[])[] = [
  ['fork', '--in-place', '--name', 'Other', '--apply'],
  ['compact', '--force', '--apply'],
  ['compact', '--tool-output', '200', '--apply'],
  ['migrate', '--cwd', MOVE, '--apply'],
  ['migrate', '--to', 'pi', '--apply'],
  ['validate', '--fix'],
  ['prune', '--older-than', '1d', '--allow-empty', '--include-damaged', '--apply', '--delete'],
];

/** A session in the store of its agent, and that store. */
interface Own {
  readonly home: string;
  readonly store: string;
  readonly path: string;
}

/** Ways to name a session past the path by which its agent knows it. */
const WAYS: Readonly<Record<string, (own: Own) => string>> = {
  'its own path': ({ path }) => path,
  'the path to which a link of the store leads': ({ home, store, path }) => {
    const disk = join(home, 'disk');
    renameSync(store, disk);
    symlinkSync(disk, store);
    return join(disk, relative(store, path));
  },
  'a link to its directory': ({ home, path }) => {
    symlinkSync(dirname(path), join(home, 'link'));
    return join(home, 'link', basename(path));
  },
  'a link of another name': ({ home, path }) => {
    symlinkSync(path, join(home, 'other.jsonl'));
    return join(home, 'other.jsonl');
  },
  'a hard link': ({ home, path }) => {
    mkdirSync(join(home, 'kept'));
    linkSync(path, join(home, 'kept', basename(path)));
    return join(home, 'kept', basename(path));
  },
};

/** A session of Claude Code that a living process has open. */
async function placeClaudeCode(): Promise<Own> {
  const home = await makeTempDir();
  const store = join(home, '.claude', 'projects');
  const path = join(store, '-w-old', `${ID}.jsonl`);
  const note = { pid: process.pid, sessionId: ID, cwd: '/w/old', updatedAt: 1 };
  await writeFiles(home, {
    [relative(home, path)]: LINES.join('') + TORN,
    [`.claude/sessions/${process.pid}.json`]: JSON.stringify(note),
  });
  return { home, store, path };
}

/** A thread that Codex has loaded. */
async function placeCodex(): Promise<Own> {
  const home = await makeTempDir();
  const codex = join(home, '.codex');
  const path = await placeIn(codex, getRecorded('linear-tools'));
  appendFileSync(path, TORN);
  mkdirSync(join(codex, 'thread-writer-locks'));
  const id = /-([\da-f]{8}-[\da-f-]{27})\.jsonl$/.exec(path)?.[1] ?? '';
  const lock = join(codex, 'thread-writer-locks', `${id}.lock`);
  const fd = openSync(lock, 'w');
  onTestFinished(() => closeSync(fd));
  expect(!system.hasFlock || tryLock(lock, fd, 'exclusive')).toBe(true);
  return { home, store: join(codex, 'sessions'), path };
}

// Codex has no sessions that `fork --in-place` could change.
const PLACED = [
  ['claude-code', placeClaudeCode, '/w/old', CHANGES],
  ['codex', placeCodex, '/home/u2/demo-project', CHANGES.slice(1)],
] as const;

const LEFT = /is open in its agent|its agent reaches it by another path/;

/** What a run that must not change the session reports. */
async function run({ home, path }: Own, named: string, argv: readonly string[], env = {}) {
  await utimes(path, 1.7e9, 1.7e9);
  const before = await readFile(path);
  const [command = '', ...options] = argv;
  const world = { home, cwd: home, env, now: () => NOW };
  const { out, err } = await runTest([command, named, ...options], world);
  const isSame = before.equals(await readFile(path));
  return isSame ? out + err : 'changed it';
}

describe.each(PLACED)('a session that %s has open', (agent, place, cwd, changes) => {
  it.each(Object.entries(WAYS))('is open by %s', async (_, name) => {
    const own = await place();
    const world = { env: {}, home: own.home, cwd: own.home };
    expect(findHolder(agent, name(own), world).isOpen).toBe(true);
  });

  it.each(changes)('is not changed past the link of its store by %s %s %s', async (...argv) => {
    const own = await place();
    const named = WAYS['the path to which a link of the store leads']?.(own) ?? '';
    const options = argv.map((one) => (one === MOVE ? `${cwd}=/w/new` : one));
    expect(await run(own, named, options)).toMatch(LEFT);
  });
});

it('is open, too, by another configuration directory with the same projects', async () => {
  const own = await placeClaudeCode();
  const work = join(own.home, 'work');
  await writeFiles(work, { 'settings.json': '{}' });
  symlinkSync(own.store, join(work, 'projects'));
  const named = join(work, relative(join(own.home, '.claude'), own.path));
  const env = { CLAUDE_CONFIG_DIR: work };
  expect(await run(own, named, CHANGES[0] ?? [], env)).toMatch(LEFT);
});

it.each([
  ['the path to which a link of the store leads', /by another path; name it as .*\.codex.sessions/],
  ['a link to its directory', /by another path; name it as .*\.codex.sessions/],
])('a closed thread of Codex that is named by %s', async (way, expected) => {
  const home = await makeTempDir();
  const path = await placeIn(join(home, '.codex'), getRecorded('linear-tools'));
  const named = WAYS[way]?.({ home, store: join(home, '.codex', 'sessions'), path }) ?? '';
  const argv = ['compact', '--tool-output', '200', '--apply'];
  expect(await run({ home, path, store: '' }, named, argv)).toMatch(expected);
});

it('changes a thread by the path of its agent, be that a link', async () => {
  const home = await makeTempDir();
  const path = await placeIn(join(home, '.codex'), getRecorded('linear-tools'));
  WAYS['the path to which a link of the store leads']?.({
    home,
    store: join(home, '.codex', 'sessions'),
    path,
  });
  const argv = ['compact', '--tool-output', '200'];
  expect(await run({ home, path, store: '' }, path, argv)).not.toContain('by a link');
});
