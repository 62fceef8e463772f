// First of all: it has to be there before anything takes a function out of node:fs.
import { realFs } from './fault-layer.mjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MANAGERS } from './managers.ts';
import { FOR_GOOD, ONCE } from './modes.ts';
import { IS_LONG, makeSandbox } from './sandbox-root.ts';
import { AGENTS } from './agent-scenarios.ts';
import { MOVES, THREADS } from './codex-scenarios.ts';
import { CHANGES, COPIES, REMOVALS, SLOW } from './scenarios.ts';
import { begin, runUndisturbed, type Scenario, walk } from './walk.ts';

const root = makeSandbox();
const scenarios = [
  ...CHANGES,
  ...REMOVALS,
  ...MOVES,
  ...THREADS,
  ...AGENTS,
  ...COPIES,
  ...MANAGERS,
  ...(IS_LONG ? SLOW : []),
];

let total = 0;
afterAll(() => realFs.writeSync(2, `${total} runs with a fault\n`));

describe.each(scenarios)('$name', (scenario) => {
  let ready: Scenario;
  beforeAll(async () => {
    ready = await begin(scenario, root);
  });

  it.each([...ONCE, ...FOR_GOOD])('survives $name at every call', async (mode) => {
    const { runs, defects } = await walk(ready, root, mode, await runUndisturbed(ready, root));
    total += runs;
    expect(defects.slice(0, 8)).toEqual([]);
  });
});
