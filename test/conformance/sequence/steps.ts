import fc from 'fast-check';
import { expect } from 'vitest';
import { getString, isObject, type JsonObject } from '../../../src/session/jsonl/edit/json.ts';
import type { CompactionSettings, ReferenceContext } from '../reference.ts';
import type { Bench } from './bench.ts';
import { damage } from './damage.ts';
import { reduce, type Reduce, REDUCTIONS, reductions } from './reduce.ts';
import { EMPTY, forgetOrigins, type LeafContext, type View } from './view.ts';

/** Runs a command and compares; true when it has changed anything, or made a session. */
type Take = (bench: Bench, before: View, pick: number) => Promise<boolean>;

const NOW = ['--apply', '--grace', '0s'];
/** A repair takes messages out of the context on purpose: `refused-results.test.ts` has that. */
const FIX = ['validate', '--fix', '--grace', '0s', '--rule', 'tool-result-orphan=off'] as const;
const RESERVE_TOKENS = 16_384;

const TAKES = {
  migrate: keepAll('migrate', ...NOW),
  move,
  fix,
  fork: makePath('fork'),
  'fork --at': makePathAt('fork', '--at'),
  'fork --before': forkBefore,
  'fork --whole': makeAll('fork', '--whole', '--cwd', '/home/ops'),
  'fork --each-leaf': forkEachLeaf,
  'export jsonl': makePath('export', '--as', 'jsonl'),
  'export jsonl --branch': makePathAt('export', '--as', 'jsonl', '--branch'),
  'export jsonl --all-branches': makeAll('export', '--as', 'jsonl', '--all-branches'),
  compact,
} as const satisfies Record<string, Take>;

export type Kind = keyof typeof TAKES;
const KINDS = Object.keys(TAKES).filter((name): name is Kind => name in TAKES);

export type Step = { readonly kind: Kind; readonly pick: number } | Reduce;

const RESTORE: Reduce = { kind: 'reduce', images: 'restore', toolOutput: undefined, entries: [] };

/** What was taken out in between is put back at the end. */
export const steps: fc.Arbitrary<readonly Step[]> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom(...KINDS), pick: fc.nat() }) },
      { weight: 2, arbitrary: reductions },
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((some) => (some.some(takesImages) ? [...some, RESTORE] : some));

function takesImages(step: Step): boolean {
  return step.kind === 'reduce' && step.images === 'extract';
}

/**
 * Takes a step, and fails where pi then shows the model anything else than it should. Gives what the
 * step has changed, by name.
 */
export async function take(bench: Bench, step: Step): Promise<readonly string[]> {
  const before = bench.look();
  if (step.kind === 'reduce') return reduce(bench, before, step);
  // Of a header alone there is nothing to make a session of.
  if (before.entries.length === 0 && step.kind.startsWith('fork')) return [];
  const isDone = await TAKES[step.kind](bench, before, step.pick);
  return isDone ? [step.kind] : [];
}

/** All that steps can change. */
export const CHANGES: readonly string[] = [...KINDS, ...REDUCTIONS];

function toContexts(ends: readonly LeafContext[]): readonly ReferenceContext[] {
  return ends.map(({ context }) => context);
}

/** Every branch ends as it did. */
async function expectAll(before: View, after: View): Promise<boolean> {
  expect(toContexts(await after.ends())).toEqual(toContexts(await before.ends()));
  expect(await after.current()).toEqual(await before.current());
  return after.text !== before.text;
}

function keepAll(command: string, ...options: readonly string[]): Take {
  return async (bench, before) => {
    await bench.run(command, ...options);
    return expectAll(before, bench.look());
  };
}

/** Only those of the project that moved. */
async function move(bench: Bench, before: View, pick: number): Promise<boolean> {
  const cwd = getCwd(before);
  const [from, to] = pick % 2 === 0 ? ['/home', '/srv'] : ['/srv', '/home'];
  const isMoved = await keepAll('migrate', ...NOW, '--cwd', `${from}=${to}`)(bench, before, pick);
  const isMeant = cwd.startsWith(from);
  expect(getCwd(bench.look())).toBe(isMeant ? cwd.replace(from, to) : cwd);
  expect(isMoved).toBe(isMeant);
  return isMoved;
}

function getCwd({ lines: [header = {}] }: View): string {
  return getString(header, 'cwd') ?? '';
}

/** A damaged file is what it was before, after it was repaired. */
async function fix(bench: Bench, before: View, pick: number): Promise<boolean> {
  await keepAll(...FIX)(bench, before, pick);
  const whole = bench.look();
  const { name, text } = damage(whole, pick);
  bench.replace(text);
  await bench.run(...FIX);
  expect({ name, text: bench.read() }).toEqual({ name, text: whole.text });
  return text !== whole.text;
}

function makeAll(command: string, ...options: readonly string[]): Take {
  return async (bench, before) => {
    await bench.run(command, ...options, ...bench.outOption);
    const [made = ''] = bench.made();
    bench.replace(made);
    return expectAll(before, bench.look());
  };
}

function makePath(command: string, ...options: readonly string[]): Take {
  return async (bench, before) => {
    await bench.run(command, ...options, ...bench.outOption);
    return goOn(bench, await before.current());
  };
}

function makePathAt(command: string, ...options: readonly string[]): Take {
  return async (bench, before, pick) => {
    const { ids } = before;
    const id = ids[pick % Math.max(1, ids.length)];
    if (id === undefined) return false;
    await bench.run(command, ...options, id, ...bench.outOption);
    const [expected = EMPTY] = await before.at([id]);
    return goOn(bench, expected);
  };
}

/** The one session that was made is the one to go on with. */
async function goOn(bench: Bench, expected: ReferenceContext): Promise<boolean> {
  const [made, ...others] = bench.made();
  expect(others).toEqual([]);
  expect(made).toBeDefined();
  bench.replace(made ?? '');
  expect(await bench.look().current()).toEqual(expected);
  return true;
}

async function forkBefore(bench: Bench, before: View, pick: number): Promise<boolean> {
  const users = before.lines.filter(isUser);
  const user = users[pick % Math.max(1, users.length)];
  const id = user?.['id'];
  if (user === undefined || typeof id !== 'string') return false;
  const run = bench.run('fork', '--before', id, ...bench.outOption);
  const parent = getString(user, 'parentId');
  if (parent !== undefined && !before.ids.includes(parent)) {
    await expect(run).rejects.toThrow(`the entry before ${id} is not in the file`);
    return false;
  }
  await run;
  const [expected = EMPTY] = parent === undefined ? [] : await before.at([parent]);
  return goOn(bench, expected);
}

function isUser({ message }: JsonObject): boolean {
  return isObject(message) && message['role'] === 'user';
}

async function forkEachLeaf(bench: Bench, before: View, pick: number): Promise<boolean> {
  await bench.run('fork', '--each-leaf', ...bench.outOption);
  const made = bench.made();
  const contexts: ReferenceContext[] = [];
  for (const text of made) {
    bench.replace(text);
    contexts.push(await bench.look().current());
  }
  const tips = await before.at(before.tips);
  expect(contexts).toEqual(tips.length > 0 ? tips : toContexts(await before.ends()));
  bench.replace(made[pick % Math.max(1, made.length)] ?? before.text);
  return made.length > 0;
}

/** The summary is ours; where it goes and what it stands for is what pi would have it. */
async function compact(bench: Bench, before: View, pick: number): Promise<boolean> {
  const keepRecentTokens = [1, 5, 60, 400][pick % 4] ?? 1;
  const keep = ['--keep-recent-tokens', `${keepRecentTokens}`];
  const options = ['--reserve-tokens', `${RESERVE_TOKENS}`, ...keep];
  const [result] = await bench.run('compact', ...NOW, '--force', ...options);
  const after = bench.look();
  const settings = { enabled: true, reserveTokens: RESERVE_TOKENS, keepRecentTokens };
  const request = { path: before.path, settings };
  const isSilent = result?.['action'] === 'fail';
  if (isSilent) expect(await countSpoken(bench, request)).toBe(0);
  if (before.version < 3 || isSilent) {
    expect(after.text).toBe(before.text);
    return false;
  }
  const compaction = result?.['compaction'];
  const summary = isObject(compaction) ? getString(compaction, 'summary') : undefined;
  const asked = { ask: 'compact', ...request, summary: summary ?? '' } as const;
  const theirs = await bench.reference.ask(asked);
  const expected = theirs ? forgetOrigins(theirs) : await before.current();
  expect(forgetTime(await after.current())).toEqual(forgetTime(expected));
  const others = (await before.ends()).slice(0, -1);
  expect((await after.ends()).slice(0, -1)).toEqual(others);
  return theirs !== null;
}

/** Of what pi would have summarized: what somebody has said, tools aside. */
async function countSpoken(
  bench: Bench,
  request: { path: string; settings: CompactionSettings },
): Promise<number> {
  const theirs = await bench.reference.ask({ ask: 'prepareCompaction', ...request });
  const messages = [...(theirs?.messagesToSummarize ?? []), ...(theirs?.turnPrefixMessages ?? [])];
  const spoken = messages.filter((message) => isObject(message) && isSpoken(message));
  return spoken.length;
}

function isSpoken(message: JsonObject): boolean {
  const { role, content } = message;
  const isText = typeof content === 'string' ? content !== '' : JSON.stringify(content) !== '[]';
  return (role === 'user' || role === 'assistant') && isText;
}

/** When the compaction was made. */
function forgetTime(context: ReferenceContext): ReferenceContext {
  const messages = context.messages.map((message, at) =>
    at < 2 && isObject(message) && isMade(message) ? { ...message, timestamp: 0 } : message,
  );
  return { ...context, messages };
}

function isMade(message: JsonObject): boolean {
  const role = getString(message, 'role');
  return role === 'compactionSummary' || role === 'system';
}
