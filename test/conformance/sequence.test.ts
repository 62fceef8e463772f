import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RELEASES } from './reference.ts';
import { linearScripts } from './scripts/linear-scripts.ts';
import { treeScripts } from './scripts/tree-scripts.ts';
import { Bench } from './sequence/bench.ts';
import { CHANGES, type Step, steps, take } from './sequence/steps.ts';
import { findSessionFiles } from './session-files.ts';

const RUNS = process.env['COPPICE_LONG'] === '1' ? 400 : 30;
const MINUTE_MS = 60_000;
/** Finding the shortest sequence that fails takes long. */
const SETTINGS = {
  numRuns: RUNS,
  interruptAfterTimeLimit: 20 * MINUTE_MS,
  markInterruptAsFailure: true,
} as const;
const LIMIT_MS = 30 * MINUTE_MS;
let bench: Bench;
const changes = new Set<string>();

beforeAll(() => {
  bench = new Bench();
});
afterAll(() => bench.close());

/** Ends at the first step after which pi shows what it should not; else tells how many there were. */
async function follow(sequence: readonly Step[]): Promise<number> {
  let taken = 0;
  for (const step of sequence) {
    for (const change of await take(bench, step)) changes.add(change);
    taken += 1;
  }
  return taken;
}

describe('any sequence of commands leaves what pi shows the model, or changes it as it says', () => {
  it.each(RELEASES)(
    'on trees that pi %s has grown',
    async (release) => {
      const scripts = release === '0.30.2' ? linearScripts : treeScripts(release);
      const property = fc.asyncProperty(scripts, steps, async (ops, sequence) => {
        bench.start('');
        const script = { release, ops, cwd: '/home/dev', dir: bench.grown };
        const { text } = await bench.reference.ask({ ask: 'script', ...script });
        fc.pre(text !== null);
        bench.replace(text ?? '');
        expect(await follow(sequence)).toBe(sequence.length);
      });
      await fc.assert(property, { ...SETTINGS, seed: 10 });
    },
    LIMIT_MS,
  );

  it(
    'on files of every release',
    async () => {
      // But for those that a known defect of pi has broken: they are repaired.
      const files = findSessionFiles().filter((file) => !file.includes('under-v3-header'));
      const property = fc.asyncProperty(
        fc.constantFrom(...files),
        steps,
        async (file, sequence) => {
          bench.start(readFileSync(file, 'utf8'));
          const all: readonly Step[] = [{ kind: 'migrate', pick: 0 }, ...sequence];
          expect(await follow(all)).toBe(all.length);
        },
      );
      await fc.assert(property, { ...SETTINGS, seed: 11 });
    },
    LIMIT_MS,
  );

  it('and takes every step there is', () => {
    expect([...changes].toSorted()).toEqual([...CHANGES].toSorted());
  });
});
