import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { MEMORY } from '../harness/memory.ts';
import { COMMANDS } from './commands.ts';
import { findSeeds } from './seeds.ts';
import { FOUND } from './found.ts';
import { mutate, mutations } from './mutations.ts';
import { runCase } from './run-case.ts';

// `npm run fuzz` gives others.
const CASES = Number(process.env['COPPICE_FUZZ_CASES'] ?? 2500);
const SEED = Number(process.env['COPPICE_FUZZ_SEED'] ?? 20_261_121);
const MAX_GROWTH = 300 * 1024 * 1024;

const root = mkdtempSync(join(MEMORY, 'coppice-fuzz-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const seeds = findSeeds();
const cases = fc.record({
  seed: fc.nat(seeds.length - 1),
  command: fc.nat(COMMANDS.length - 1),
  changes: mutations,
});

describe('any command on any bytes', () => {
  it('ends in time with an exit code of the contract, and writes only what it may', async () => {
    await runCase(root, COMMANDS[0]?.argv ?? [], Buffer.alloc(0), true);
    const before = process.memoryUsage().rss;
    const property = fc.asyncProperty(cases, async ({ seed, command, changes }) => {
      const { argv, reads } = COMMANDS[command] ?? { argv: [], reads: true };
      const bytes = mutate(seeds[seed] ?? Buffer.alloc(0), changes, seeds);
      expect(await runCase(root, argv, bytes, reads)).toEqual([]);
    });
    await fc.assert(property, { numRuns: CASES, seed: SEED, endOnFailure: false });
    globalThis.gc?.();
    expect(process.memoryUsage().rss - before).toBeLessThan(MAX_GROWTH);
  });

  it.each(FOUND)('still: $name', async ({ argv, bytes, reads }) => {
    expect(await runCase(root, argv, Buffer.from(bytes, 'latin1'), reads)).toEqual([]);
  });
});
