// First of all: it has to be there before anything takes a function out of node:fs.
import { realFs } from './fault-layer.mjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INTERFERENCES, walkInterference } from './interference.ts';
import { MANAGERS } from './managers.ts';
import { IS_LONG, makeSandbox } from './sandbox-root.ts';
import { CHANGES, COPIES, PREVIEWS, REMOVALS, SLOW } from './scenarios.ts';
import { begin, type Scenario } from './walk.ts';

const root = makeSandbox();
const scenarios = [...CHANGES, ...REMOVALS, ...COPIES, ...PREVIEWS, ...MANAGERS];

const totals = { runs: 0, unpromised: 0 };
afterAll(() => realFs.writeSync(2, `interferences: ${JSON.stringify(totals)}\n`));

describe.each(IS_LONG ? [...scenarios, ...SLOW] : scenarios)('$name', (scenario) => {
  let ready: Scenario;
  beforeAll(async () => {
    ready = await begin(scenario, root);
  });

  it.each(INTERFERENCES)('loses nothing when a session $name before any call', async (mode) => {
    const { runs, unpromised, defects } = await walkInterference(ready, root, mode);
    totals.runs += runs;
    totals.unpromised += unpromised;
    expect(defects.slice(0, 8)).toEqual([]);
    expect(unpromised).toBeLessThan(3);
  });
});
