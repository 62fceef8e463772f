import { linkSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restoreLeftNames } from '../../../src/session/jsonl/write/set-aside.ts';
import { pick } from '../../harness/pick.ts';
import { IS_LONG, makeSandbox } from '../faults/sandbox-root.ts';
import { bundleMoves, type Move, setUpFiles, Stepper } from './stepper.ts';

const TEXT = '{"type":"session"}\n';
const root = makeSandbox();
let stepper: Stepper;

beforeAll(async () => {
  mkdirSync(root);
  stepper = new Stepper(3, root, await bundleMoves(dirname(root)));
});
afterAll(() => stepper.stop());

const toPath = (name: string): string => join(root, name, 's.jsonl');

/** Moves that each take the file of the one before: of two, to and fro. */
function circle(names: readonly string[], more: Omit<Move, 'from' | 'to'>): readonly Move[] {
  return names.map((name, at) => {
    const from = toPath(name);
    const backup = more.backup === undefined ? undefined : from + more.backup;
    return { ...more, backup, from, to: toPath(names[(at + 1) % names.length] ?? '') };
  });
}

interface Case {
  readonly name: string;
  readonly places: readonly string[];
  /** Where the session is at first. */
  readonly at: readonly string[];
  /** Whether the other places are other names of the same file: a run was ended. */
  readonly isLinked?: boolean;
  /** Whether a long run tries all orders: where there are some thousands. */
  readonly hasFewOrders?: boolean;
  readonly more: Omit<Move, 'from' | 'to'>;
}

const [A, AB, ABC] = [['a'], ['a', 'b'], ['a', 'b', 'c']];

const CASES: readonly Case[] = [
  {
    name: 'two names of one file',
    places: AB,
    at: A,
    isLinked: true,
    hasFewOrders: true,
    more: { isTwin: false },
  },
  { name: 'one file moved to and fro', places: AB, at: A, more: { isTwin: false } },
  {
    name: 'one file moved to and fro, without hard links',
    places: AB,
    at: A,
    more: { isTwin: false, lacksLinks: true },
  },
  {
    name: 'twins that each stand for the other',
    places: AB,
    at: AB,
    hasFewOrders: true,
    more: { isTwin: true },
  },
  {
    name: 'such twins, without hard links',
    places: AB,
    at: AB,
    more: { isTwin: true, lacksLinks: true },
  },
  {
    name: 'such twins, with backups',
    places: AB,
    at: AB,
    more: { isTwin: true, backup: '.bak' },
  },
];
const OF_THREE: readonly Case[] = [
  {
    name: 'three names of one file',
    places: ABC,
    at: A,
    isLinked: true,
    more: { isTwin: false },
  },
  { name: 'one file moved round', places: ABC, at: A, more: { isTwin: false } },
  { name: 'three of the same', places: ABC, at: ABC, more: { isTwin: true } },
  {
    name: 'three of the same, without hard links',
    places: ABC,
    at: ABC,
    more: { isTwin: true, lacksLinks: true },
  },
];

function setUp({ places, at, isLinked = false }: Case): void {
  setUpFiles(root, at.map(toPath), TEXT);
  for (const name of places) {
    mkdirSync(dirname(toPath(name)), { recursive: true });
    if (isLinked && name !== 'a') linkSync(toPath('a'), toPath(name));
  }
}

/** The files that hold all of it, by their names, in any directory. */
function listWhole({ places }: Case): readonly string[] {
  const paths = places.flatMap((name) => {
    const directory = dirname(toPath(name));
    return readdirSync(directory).map((one) => join(directory, one));
  });
  return paths.filter((path) => readFileSync(path, 'utf8') === TEXT);
}

/** What is wrong after a run, and after the one that comes next. */
async function judge(one: Case, ends: readonly string[], isKilled: boolean): Promise<string[]> {
  const named = listWhole(one).filter((path) => path.endsWith('/s.jsonl'));
  const wrong = !isKilled && named.length === 0 ? [`nothing left: ${ends.join(' ')}`] : [];
  for (const name of one.places) await restoreLeftNames(dirname(toPath(name)), Date.now());
  const after = listWhole(one);
  const isKept = after.some((path) => path.endsWith('/s.jsonl') || path.endsWith('.bak'));
  if (!isKept) wrong.push(`lost: ${ends.join(' ')}`);
  if (after.some((path) => path.includes('.coppice-moved'))) wrong.push('left aside');
  return wrong;
}

/** Goes through every order in which the calls of runs can follow each other. */
async function exploreAll(one: Case, defects: string[]): Promise<void> {
  const taken: { at: number; of: number }[] = [];
  for (;;) {
    let depth = 0;
    setUp(one);
    const ends = await stepper.play(circle(one.places, one.more), (of) => {
      taken[depth] ??= { at: 0, of };
      const { at } = taken[depth] ?? { at: 0 };
      depth += 1;
      return { at, isKill: false };
    });
    const order = taken.map(({ at }) => at).join('');
    defects.push(...(await judge(one, ends, false)).map((what) => `${order}: ${what}`));
    while (taken.length > 0 && (taken.at(-1)?.at ?? 0) + 1 >= (taken.at(-1)?.of ?? 0)) taken.pop();
    const last = taken.at(-1);
    if (!last) return;
    last.at += 1;
  }
}

/** Tries orders by the seed; in some of them, runs are killed. */
async function exploreSome(one: Case, many: number, kills: boolean, defects: string[]) {
  let killed = 0;
  for (let n = 0; n < many; n += 1) {
    let step = 0;
    setUp(one);
    const before = killed;
    const ends = await stepper.play(circle(one.places, one.more), (of) => {
      step += 1;
      const isKill = kills && pick(8, `${one.name} ${n} kill ${step}`) === 0;
      if (isKill) killed += 1;
      return { at: pick(of, `${one.name} ${n} ${step}`), isKill };
    });
    const wrong = await judge(one, ends, killed > before);
    defects.push(...wrong.map((what) => `${n}: ${what}`));
  }
  return killed;
}

describe('runs that move files at once', () => {
  it.each([...CASES, ...OF_THREE])('leave a copy in whatever order: $name', async (one) => {
    const defects: string[] = [];
    if (IS_LONG && one.hasFewOrders) await exploreAll(one, defects);
    else await exploreSome(one, IS_LONG ? 1000 : 120, false, defects);
    expect(defects.slice(0, 8)).toEqual([]);
  });

  it.each([...CASES, ...OF_THREE])('leave one where some are killed: $name', async (one) => {
    const defects: string[] = [];
    expect(await exploreSome(one, IS_LONG ? 500 : 120, true, defects)).toBeGreaterThan(0);
    expect(defects.slice(0, 8)).toEqual([]);
  });
});
