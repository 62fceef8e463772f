import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { applyPrune, planPrune } from '../../../src/library/functions/prune.ts';
import { runTest } from '../../memory-terminal.ts';
import { makeOld, makeTempDir, writeFiles } from '../../temp-dir.ts';

const [SOURCE, FORK] = ['a', 'b'].map((one) => `${one.repeat(8)}-1111-4111-8111-111111111111`) as [
  string,
  string,
];

let home: string;

beforeEach(async () => {
  home = await makeTempDir();
});

async function add(files: Readonly<Record<string, readonly object[]>>): Promise<void> {
  await writeFiles(home, files);
  await makeOld(Object.keys(files).map((name) => join(home, name)));
}

/** What happens to the source of a fork that is kept, and when that fork began. */
async function keepFork(): Promise<object> {
  const run = async (...argv: readonly string[]) =>
    JSON.parse((await runTest(argv, { cwd: home, home })).out).results as readonly {
      id: string;
      created: string;
      action: string;
      reasons: readonly string[];
    }[];
  const pruned = await run('prune', '--keep-id', FORK, '--include-pinned', '--json');
  const listed = await run('list', '--json');
  return {
    source: pruned.find(({ id }) => id === SOURCE)?.reasons,
    created: listed.find(({ id }) => id === FORK)?.created,
  };
}

async function decide(...rules: readonly string[]): Promise<object> {
  const argv = ['prune', ...rules, '--include-pinned', '--json'];
  const results = JSON.parse((await runTest(argv, { cwd: home, home })).out).results as readonly {
    id: string;
    action: string;
    reasons: readonly string[];
  }[];
  return Object.fromEntries(
    results.map(({ id, action, reasons }) => [id, [action, reasons.join(', ')]]),
  );
}

/** The states of files, as they were noted at a prompt. */
function states(second: number): object {
  const snapshot = { messageId: 'x', trackedFileBackups: {}, timestamp: at(second) };
  return { type: 'file-history-snapshot', messageId: 'x', snapshot };
}

const at = (second: number) => new Date(Date.UTC(2026, 0, 3, 10) + second * 1000).toISOString();

/** A turn as Claude Code writes it. */
function turn(sessionId: string, second: number, parent: number | null): readonly object[] {
  const toId = (one: number) => `10000000-0000-4000-8000-${String(one).padStart(12, '0')}`;
  const base = { isSidechain: false, cwd: '/w', sessionId, version: '2.1.112' };
  const message = {
    id: `msg_${second}`,
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text: 'ok' }],
  };
  return [
    {
      ...base,
      parentUuid: parent === null ? null : toId(parent + 1),
      type: 'user',
      message: { role: 'user', content: `prompt ${second}` },
      uuid: toId(second),
      timestamp: at(second),
    },
    {
      ...base,
      parentUuid: toId(second),
      type: 'assistant',
      message,
      uuid: toId(second + 1),
      timestamp: at(second + 1),
    },
  ];
}

it.each([
  {
    note: 'a prompt in the queue',
    first: { type: 'queue-operation', operation: 'enqueue', timestamp: at(100) },
  },
  { note: 'the states of files', first: states(100) },
  // In a terminal, 2.0.56 and 2.1.112 copy the states that the source has noted, too.
  { note: 'the states of files again', copied: [states(10)], first: states(100) },
])(
  'keeps the source of a kept fork of Claude Code that notes $note, though it went on later',
  async ({ copied = [], first }) => {
    await add({
      [`.claude/projects/-w/${SOURCE}.jsonl`]: [
        ...turn(SOURCE, 10, null),
        ...turn(SOURCE, 200, 10),
      ],
      // As `--fork-session` writes it, up to 2.1.225: nothing in a copied line names the source.
      [`.claude/projects/-w/${FORK}.jsonl`]: [
        ...copied,
        first,
        ...turn(FORK, 10, null),
        ...turn(FORK, 101, 10),
      ],
    });
    expect(await keepFork()).toEqual({ source: ['parent of a kept fork'], created: at(101) });
  },
);

describe('a session of Claude Code and its fork, which notes nothing of its prompt', () => {
  // As 2.1.112 writes it in a terminal, without the states of files (`fileCheckpointingEnabled`).
  beforeEach(async () => {
    await add({
      [`.claude/projects/-w/${SOURCE}.jsonl`]: [
        ...turn(SOURCE, 10, null),
        ...turn(SOURCE, 200, 10),
      ],
      [`.claude/projects/-w/${FORK}.jsonl`]: [...turn(FORK, 10, null), ...turn(FORK, 101, 10)],
    });
  });

  it.each([
    [SOURCE, FORK],
    [FORK, SOURCE],
  ])('keeps each with the other: %s with %s', async (kept, other) => {
    expect(await decide('--keep-id', kept)).toEqual({
      [kept]: ['keep', 'by id'],
      [other]: ['keep', 'parent of a kept fork'],
    });
  });

  it('removes both at once, and either with --include-parents', async () => {
    expect(await decide('--older-than', '1d', '--allow-empty')).toEqual({
      [SOURCE]: ['remove', 'older than 1d'],
      [FORK]: ['remove', 'older than 1d'],
    });
    expect(await decide('--keep-id', FORK, '--include-parents')).toMatchObject({
      [SOURCE]: ['remove', 'no rule keeps it'],
    });
  });

  it.each([SOURCE, FORK])('keeps both if a program leaves %s out of its plan', async (left) => {
    const store = join(home, '.claude/projects');
    const rules = { olderThan: '1d', allowEmpty: true, includePinned: true };
    const plan = await planPrune([store], rules);
    const decisions = plan.decisions.filter(({ candidate }) => candidate.id !== left);
    await applyPrune({ ...plan, decisions }, { delete: true });
    expect((await readdir(join(store, '-w'))).toSorted()).toEqual(
      [SOURCE, FORK].map((id) => `${id}.jsonl`),
    );
    const outcomes = await applyPrune(plan, { delete: true });
    expect(outcomes.map(({ action }) => action)).toEqual(['remove', 'remove']);
  });

  it('does not know when either started', async () => {
    const reason = 'nothing shows which of it and another session is the fork';
    const both = { [SOURCE]: ['keep', reason], [FORK]: ['keep', reason] };
    expect(await decide('--started-before', at(50), '--allow-empty')).toEqual(both);
    // Each may be the last one that started by then: no other is removed instead.
    const other = SOURCE.replaceAll('a', 'c');
    await add({ [`.claude/projects/-w/${other}.jsonl`]: turn(other, 20, null) });
    expect(await decide('--started-before', at(50), '--last', '1')).toMatchObject({
      [SOURCE]: ['keep', reason],
      [other]: ['keep', 'not selected'],
    });
    expect(await decide('--started-before', at(50), '--last', '3')).toEqual({
      ...both,
      [other]: ['remove', `started before ${at(50)}, of the last 3`],
    });
  });
});

it('keeps the source of a kept fork of Claude Code whose first answer was written before its prompt', async () => {
  const [prompt, answer] = turn(SOURCE, 10, null);
  await add({
    // As 2.1.133 writes it in a terminal, at times.
    [`.claude/projects/-w/${SOURCE}.jsonl`]: [{ ...answer }, { ...prompt }],
    [`.claude/projects/-w/${FORK}.jsonl`]: [...turn(FORK, 10, null), ...turn(FORK, 101, 10)],
  });
  expect(await keepFork()).toMatchObject({ source: ['parent of a kept fork'] });
});

it('keeps the source of a kept fork of Claude Code 2.0.20, which continues from what warms the client up', async () => {
  const asides = turn(SOURCE, 20, null).map((line) => ({ ...line, isSidechain: true }));
  const [first, second] = turn(SOURCE, 10, null);
  const [warm, warmed] = asides;
  await add({
    [`.claude/projects/-w/${SOURCE}.jsonl`]: [
      ...[first, warm, second, warmed].map((line) => ({ ...line })),
      ...turn(SOURCE, 30, 20),
    ],
    [`.claude/projects/-w/${FORK}.jsonl`]: [
      // Copies have a time of their own.
      ...turn(FORK, 20, null).map((line) => ({ ...line, timestamp: at(100) })),
      ...turn(FORK, 30, 20).map((line) => ({ ...line, timestamp: at(100) })),
      ...turn(FORK, 101, 30),
    ],
  });
  expect(await keepFork()).toMatchObject({ source: ['parent of a kept fork'] });
});

it('keeps the source of a kept fork of Claude Code that has its second beginning', async () => {
  const queued = { type: 'queue-operation', operation: 'enqueue', timestamp: at(100) };
  await add({
    // Somebody went back to before the first prompt, and forked what came then.
    [`.claude/projects/-w/${SOURCE}.jsonl`]: [...turn(SOURCE, 10, null), ...turn(SOURCE, 20, null)],
    [`.claude/projects/-w/${FORK}.jsonl`]: [
      queued,
      ...turn(FORK, 20, null),
      ...turn(FORK, 101, 20),
    ],
  });
  expect(await keepFork()).toEqual({ source: ['parent of a kept fork'], created: at(101) });
});

it('keeps the source of a kept fork of Claude Code in which no answer was copied', async () => {
  const queued = { type: 'queue-operation', operation: 'enqueue', timestamp: at(100) };
  // Somebody stopped the first turn, and forked that, as 2.1.133 and 2.1.332 write it.
  const [stopped] = turn(SOURCE, 10, null);
  await add({
    [`.claude/projects/-w/${SOURCE}.jsonl`]: [{ ...stopped }],
    [`.claude/projects/-w/${FORK}.jsonl`]: [
      queued,
      { ...stopped, sessionId: FORK },
      ...turn(FORK, 101, 10),
    ],
  });
  expect(await keepFork()).toEqual({ source: ['parent of a kept fork'], created: at(101) });
});

it('keeps the source of a kept fork of Claude Code whose copied answers are from another session', async () => {
  const queued = { type: 'queue-operation', operation: 'enqueue', timestamp: at(100) };
  const first = `${'c'.repeat(8)}-1111-4111-8111-111111111111`;
  const copied = (sessionId: string) =>
    turn(sessionId, 10, null).map((line) =>
      'message' in line && 'id' in (line.message as object)
        ? { ...line, requestSessionId: first }
        : line,
    );
  const [stopped] = turn(SOURCE, 50, 10);
  await add({
    [`.claude/projects/-w/${first}.jsonl`]: turn(first, 10, null),
    // A fork that was stopped in its first turn, and a fork of that: its answers name the first session.
    [`.claude/projects/-w/${SOURCE}.jsonl`]: [...copied(SOURCE), { ...stopped }],
    [`.claude/projects/-w/${FORK}.jsonl`]: [
      queued,
      ...copied(FORK),
      { ...stopped, sessionId: FORK },
      ...turn(FORK, 101, 50),
    ],
  });
  expect(await keepFork()).toEqual({ source: ['parent of a kept fork'], created: at(101) });
});

it('takes no entries of a hook before the first prompt for those of another session', async () => {
  const hook = {
    type: 'progress',
    parentUuid: null,
    isSidechain: false,
    cwd: '/w',
    sessionId: FORK,
    uuid: '20000000-0000-4000-8000-000000000000',
    timestamp: at(1),
  };
  const queued = { type: 'queue-operation', operation: 'enqueue', timestamp: at(100) };
  await add({ [`.claude/projects/-w/${FORK}.jsonl`]: [queued, hook, ...turn(FORK, 101, null)] });
  expect(await keepFork()).toMatchObject({ created: at(1) });
});

it('keeps the source of a kept fork of Codex 0.80, which has the header of that behind its own', async () => {
  const header = (id: string, second: number) => ({
    timestamp: at(second),
    type: 'session_meta',
    payload: {
      id,
      timestamp: at(second),
      cwd: '/w',
      originator: 'codex_cli_rs',
      cli_version: '0.80.0',
      source: 'cli',
      model_provider: 'p',
    },
  });
  const prompt = (second: number) => ({
    timestamp: at(second),
    type: 'event_msg',
    payload: { type: 'user_message', message: `prompt ${second}`, images: [] },
  });
  const toName = (id: string) =>
    `.codex/sessions/2026/01/03/rollout-2026-01-03T10-00-00-${id}.jsonl`;
  await add({
    [toName(SOURCE)]: [header(SOURCE, 1), prompt(2), prompt(200)],
    [toName(FORK)]: [header(FORK, 100), header(SOURCE, 1), prompt(2), prompt(101)],
  });
  expect(await keepFork()).toEqual({ source: ['parent of a kept fork'], created: at(100) });
});

it('keeps a session of Claude Code before 2.1.90 in a worktree while the repository is there', async () => {
  const name = `.claude/projects/-w/${SOURCE}.jsonl`;
  const cwd = join(home, 'api', '.claude', 'worktrees', 'feature');
  await add({ [name]: turn(SOURCE, 10, null).map((line) => ({ ...line, cwd })) });
  const prune = async () => {
    const argv = ['prune', '--missing-cwd', '--allow-empty', '--json'];
    const { out } = await runTest(argv, { cwd: home, home });
    return JSON.parse(out).results[0].reasons;
  };
  expect(await prune()).toEqual(['its working directory is gone']);
  await mkdir(join(home, 'api'));
  expect(await prune()).toEqual(['not selected']);
});
