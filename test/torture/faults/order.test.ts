// First of all: it has to be there before anything takes a function out of node:fs.
import { type Call, realFs } from './fault-layer.mjs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Ledger } from './ledger.ts';
import { changesOrFlushes } from './modes.ts';
import { makeSandbox } from './sandbox-root.ts';
import { fill } from './sandbox.ts';
import { AGENTS } from './agent-scenarios.ts';
import { THREADS } from './codex-scenarios.ts';
import { CHANGES, COPIES, REMOVALS } from './scenarios.ts';
import { begin, runOn, runUndisturbed, type Scenario } from './walk.ts';

const root = makeSandbox();

let kills = 0;
afterAll(() => realFs.writeSync(2, `order of flushes: after ${kills} kills\n`));

/** Nothing relies on what a killed run was putting into the trash: the next one does it again. */
const HALF_DONE = /Trash\/(?:files|info)\/./;

/** Runs a command, and lists what could be lost whenever it removes or replaces what was there. */
async function listRisks(scenario: Scenario, ledger: Ledger): Promise<readonly string[]> {
  const risks: string[] = [];
  const before = new Set([...scenario.files.keys()].map((path) => join(root, path)));
  const check = (call: Call): undefined => {
    const { name, path, to } = call;
    ledger.announce(call);
    const isRemoved = /^(unlink|rm|rename)$/.test(name) && before.has(path);
    const isReplaced = name === 'rename' && before.has(to);
    if (!isRemoved && !isReplaced) return;
    const own = `name ${relative(root, path)}`;
    const content = ledger.isWritten(path) ? [] : [`content of ${path}`];
    const lost = [...ledger.list().filter((one) => one !== own), ...content];
    risks.push(...lost.map((one) => `${name} ${path} ${to}: ${one}`));
  };
  await runOn(scenario, root, check, (call, result) => ledger.note(call, result));
  return risks;
}

describe.each([...CHANGES, ...REMOVALS, ...THREADS, ...AGENTS, ...COPIES])('$name', (scenario) => {
  let ready: Scenario;
  beforeAll(async () => {
    ready = await begin(scenario, root);
  });

  it('flushes what it relies on before it removes or replaces anything', async () => {
    fill(root, ready.files);
    expect(await listRisks(ready, new Ledger(root))).toEqual([]);
  });

  it('flushes also what a run has left that was killed after any of its calls', async () => {
    const { calls } = await runUndisturbed(ready, root);
    const risks = new Set<string>();
    // After a call that changes nothing there is what was there before it.
    const moments = calls.filter((call) => changesOrFlushes(call)).map(({ number }) => number + 1);
    for (const n of [1, ...moments]) {
      kills += 1;
      const ledger = new Ledger(root);
      fill(root, ready.files);
      await runOn(
        ready,
        root,
        (call) => {
          ledger.announce(call);
          return call.number >= n ? { code: 'EIO' } : undefined;
        },
        (call, result) => ledger.note(call, result),
      );
      ledger.giveUp(HALF_DONE);
      for (const risk of await listRisks(ready, ledger)) risks.add(`after ${n} calls: ${risk}`);
    }
    expect([...risks].slice(0, 8)).toEqual([]);
  });
});
