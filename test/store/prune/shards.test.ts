import { copyFile, cp, mkdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FileError } from '../../../src/errors.ts';
import { summarizeSession } from '../../../src/session/read/summaries/summarize-session.ts';
import type { Decision } from '../../../src/session/prune/policy.ts';
import { searchStores } from '../../../src/store/find/targets.ts';
import { planOnFacts } from '../../../src/store/prune/plan-on-facts.ts';
import { readLate } from '../../../src/store/prune/reading/read-sessions.ts';
import { toQuestion } from '../../../src/store/prune/question.ts';
import { parseRules, type PruneRules } from '../../../src/store/prune/parse-rules.ts';
import { keepDecisionsOfShard } from '../../../src/store/prune/shard-decisions.ts';
import { type ReadAll, readPrunables } from '../../../src/store/sessions/read-prunable.ts';
import { createCompleter } from '../../../src/store/sessions/surroundings.ts';
import { Survey } from '../../../src/store/sessions/sidecars/survey.ts';
import type { ReadSessions } from '../../../src/store/sessions/units/unit.ts';
import type { Shard } from '../../../src/store/select/shard.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const CODEX = fileURLToPath(new URL('../../fixtures/codex', import.meta.url));
const OLD: PruneRules = { olderThan: '2030-01-01', grace: '0s', allowEmpty: true };
const NOW = Date.parse('2031-01-01T00:00:00.000Z');
const COUNT = 5;
const SHARDS = Array.from({ length: COUNT }, (_, at): Shard => ({ index: at + 1, count: COUNT }));

interface Run {
  readonly shard?: Shard;
  readonly rules?: PruneRules;
  /** What happens after all sessions were read once. */
  readonly meanwhile?: () => Promise<void>;
  /** A file that the system fails to read. */
  readonly broken?: string;
}

async function plan(dir: string, { shard, rules = OLD, meanwhile, broken }: Run = {}) {
  const { signal } = new AbortController();
  const readAll: ReadAll = async (paths) => {
    const read = paths.map(async (path) => [
      path,
      path === broken
        ? new FileError(path, 'EIO', 'input/output error')
        : await summarizeSession(path, { usage: false, signal }).catch((error: unknown) => error),
    ]);
    return new Map((await Promise.all(read)) as [string, never][]);
  };
  const { files } = await searchStores([dir]);
  const shared = { survey: new Survey(), complete: createCompleter({ env: {} }) };
  const found = await readPrunables(files, shared, readAll);
  await meanwhile?.();
  const read = found.map((one) => ({ ...one, isTarget: true }));
  const context = { now: NOW, cwd: dir, toLabel: (name: string) => name };
  const question = {
    ...toQuestion(parseRules(rules, context), NOW, { env: {}, home: '/', cwd: '/' }),
    readWhole: readAll,
    readLate: (known: ReadSessions) => readLate(known, readAll, { env: {} }),
    shard,
  };
  return planOnFacts({ read, stores: [dir], problems: [], survey: shared.survey }, question);
}

const toLines = (decisions: readonly Decision[]): readonly string[] =>
  decisions.map(({ candidate, action, reasons }) => {
    return `${action} ${basename(candidate.path)}: ${reasons.join(', ')}`;
  });

function findOwn(decisions: readonly Decision[], name: string): Shard {
  const own = SHARDS.find((shard) =>
    keepDecisionsOfShard(decisions, shard).some(
      ({ candidate }) => basename(candidate.path) === name,
    ),
  );
  if (!own) throw new Error(`no shard has ${name}`);
  return own;
}

/** A directory in which two sessions are in different shards, which follow from their paths; and that of the first. */
async function makeApart(
  [one, other]: readonly [string, string],
  fill: (dir: string) => Promise<void>,
  rules = OLD,
) {
  const root = await makeTempDir();
  for (let at = 0; at < 100; at += 1) {
    const dir = join(root, String(at));
    await mkdir(dir);
    await fill(dir);
    const { decisions } = await plan(dir, { rules });
    const own = findOwn(decisions, one);
    if (findOwn(decisions, other).index !== own.index) return { dir, own };
  }
  throw new Error('they are in one shard, wherever they are');
}

/** A session, and one of another shard that was forked from it. */
async function makeForked() {
  const names = ['era-0.130.jsonl', 'era-0.130-fork.jsonl'] as const;
  const { dir, own } = await makeApart(names, async (into) => {
    for (const name of names) await copyFile(join(CODEX, name), join(into, name));
  });
  return { dir, own, fork: join(dir, 'era-0.130-fork.jsonl') };
}

describe('a shard plans as one run would', () => {
  it('although another one removes a fork meanwhile', async () => {
    const { dir, own, fork } = await makeForked();
    const { decisions } = await plan(dir, { shard: own, meanwhile: () => rm(fork) });
    expect(toLines(keepDecisionsOfShard(decisions, own))).toEqual([
      'remove era-0.130.jsonl: older than 2030-01-01',
    ]);
  });

  it('and in a run without shards, a fork that vanishes keeps what it was forked from', async () => {
    const { dir, fork } = await makeForked();
    const { decisions } = await plan(dir, { meanwhile: () => rm(fork) });
    expect(toLines(decisions)).toEqual([
      'keep era-0.130-fork.jsonl: another run is removing it',
      'keep era-0.130.jsonl: parent of a kept fork',
    ]);
  });

  it('and leaves out, also without shards, a session that vanishes before it is read whole', async () => {
    const dir = await makeTempDir();
    await writeFiles(dir, { 'a.jsonl': sampleSession({ id: 'a' }), 'b.jsonl': sampleSession() });
    const { decisions, problems } = await plan(dir, { meanwhile: () => rm(join(dir, 'a.jsonl')) });
    expect(toLines(decisions)).toEqual(['remove b.jsonl: older than 2030-01-01']);
    expect(problems).toEqual([]);
  });

  it('and keeps what a fork of its own part that vanishes was forked from', async () => {
    const { dir, fork } = await makeForked();
    const shard = { index: 1, count: 1 };
    const { decisions } = await plan(dir, { shard, meanwhile: () => rm(fork) });
    expect(toLines(keepDecisionsOfShard(decisions, shard))).toEqual([
      'keep era-0.130-fork.jsonl: another run is removing it',
      'keep era-0.130.jsonl: parent of a kept fork',
    ]);
  });

  it.each(SHARDS)(
    'and keeps what a file that cannot be read may have been forked from, though it vanishes: $index',
    async (shard) => {
      const { dir, fork } = await makeForked();
      const meanwhile = (): Promise<void> => rm(fork);
      const { decisions } = await plan(dir, { shard, broken: fork, meanwhile });
      expect(toLines(decisions)).toContain(
        `keep era-0.130.jsonl: ${fork} cannot be read, and may continue from it`,
      );
    },
  );

  it('although the remainder of a session that another one removes seems to be the newest', async () => {
    const start = (day: number) => `2026-03-0${day}T09:30:00.000Z`;
    const rules = { keepLast: 1, grace: '0s' };
    const fill = (into: string) =>
      writeFiles(into, {
        'a.jsonl': sampleSession({ id: 'a', start: start(1) }),
        'b.jsonl': sampleSession({ id: 'b', start: start(2) }),
        'c.jsonl': sampleSession({ id: 'c', start: start(3) }),
      });
    const { dir, own } = await makeApart(['b.jsonl', 'c.jsonl'], fill, rules);
    const meanwhile = () => rm(join(dir, 'c.jsonl'));
    const found = await plan(dir, { rules, shard: own, meanwhile });
    expect(toLines(keepDecisionsOfShard(found.decisions, own))).toContain('keep b.jsonl: last 1');
  });
});

describe('shards of threads of several files', () => {
  it.each([
    ['that its agent', 'fork'],
    ['whose sub-agent its agent', 'subagent'],
  ])('keep what a fork was forked from %s archives meanwhile', async (_, moved) => {
    const ids = ['1', '2', '3', '4', '5', '6', '7', '8', '9'].map(
      (end) => `0199aaaa-0000-7000-8000-00000000000${end}`,
    );
    const [first = '', fork = '', subagent = ''] = ids;
    const toName = (id: string) => `rollout-2026-01-01T00-00-00-${id}.jsonl`;
    const toThread = (id: string, message: string, facts = {}) => {
      const timestamp = '2026-01-01T00:00:00.000Z';
      const origin = { cwd: '/p', originator: 'x', cli_version: '0.169.0', source: 'cli' };
      return [
        { timestamp, type: 'session_meta', payload: { id, timestamp, ...origin, ...facts } },
        { timestamp, type: 'event_msg', payload: { type: 'user_message', message } },
      ];
    };
    const dir = await makeTempDir();
    const [active, archived] = ['sessions/2026/01/01', 'archived_sessions'];
    await mkdir(join(dir, archived));
    await writeFiles(dir, {
      ...Object.fromEntries(
        ids.map((id) => [`${active}/${toName(id)}`, toThread(id, 'x'.repeat(1000))]),
      ),
      [`${active}/${toName(fork)}`]: toThread(fork, 'Hi', { forked_from_id: first }),
      [`${active}/${toName(subagent)}`]: toThread(subagent, 'Hi', { parent_thread_id: fork }),
    });
    const rules = { ...OLD, includePinned: true, largerThan: '1kB' };
    const { decisions: all } = await plan(dir, { rules });
    const own = findOwn(all, toName(first));
    const others = keepDecisionsOfShard(all, own).filter(({ action }) => action === 'remove');
    expect([findOwn(all, toName(fork)).index === own.index, others.length > 0]).toEqual([
      false,
      true,
    ]);
    const [from, to] = [active, archived].map((place) =>
      join(dir, place, toName(moved === 'fork' ? fork : subagent)),
    );
    const meanwhile = () => rename(from ?? '', to ?? '');
    const { decisions } = await plan(dir, { rules, shard: own, meanwhile });
    expect(toLines(decisions)).toContain(`keep ${toName(first)}: parent of a kept fork`);
  });

  it('have each session once, and what it cannot be opened without', async () => {
    const dir = await makeTempDir();
    for (const name of ['sessions', 'archived_sessions']) {
      await cp(join(CODEX, 'home', name), join(dir, name), { recursive: true });
    }
    const { decisions } = await plan(dir);
    const parts = SHARDS.map((shard) => keepDecisionsOfShard(decisions, shard));
    expect(parts.flatMap(toLines).toSorted()).toEqual(toLines(decisions).toSorted());
    const bound = decisions.filter(({ candidate }) => (candidate.needs ?? []).length > 0);
    expect(bound).not.toEqual([]);
    for (const { candidate } of bound) {
      const own = findOwn(decisions, basename(candidate.path));
      expect(candidate.needs?.map((path) => findOwn(decisions, basename(path)))).toEqual([own]);
    }
  });

  it('have what is left of one where they had the whole', async () => {
    const dir = await makeTempDir();
    await cp(join(CODEX, 'home/sessions'), join(dir, 'sessions'), { recursive: true });
    const { found } = await plan(dir);
    const whole = found.find(({ members }) => members.length > 1);
    const [own = '', ...others] = whole?.members ?? [];
    await rm(own);
    const left = await plan(dir);
    const rest = left.found.find(({ members }) => members.some((path) => others.includes(path)));
    expect(rest?.candidate.family).toBe(whole?.candidate.family);
  });
});
