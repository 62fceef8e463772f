import { basename } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SessionManager } from '../../src/index.ts';
import { prepareBranch } from '../../src/session/agents/pi/fork/prepare-branch.ts';
import { asRecord } from '../../src/library/typed.ts';
import { Reference } from './reference.ts';
import { findSessionFiles } from './session-files.ts';
import { findLeftBehind } from '../../src/session/model/tree/tree.ts';

let reference: Reference;

beforeAll(() => {
  reference = new Reference();
});
afterAll(() => reference.close());

const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Without a limit, and with limits that cut early, late and in between. */
const BUDGETS = [0, 5, 40, 200, 1000];

it('takes of a branch that is left what pi takes, from anywhere to anywhere', async () => {
  let compared = 0;
  for (const path of findSessionFiles()) {
    const session = SessionManager.open(path);
    const entries = session.getEntries();
    const step = Math.ceil(entries.length / 6);
    if ((await reference.ask({ ask: 'session', path })).tree.some(({ id }) => !id)) continue;
    for (const [fromOrdinal, from] of entries.entries()) {
      for (const [toOrdinal, to] of entries.entries()) {
        if (fromOrdinal % step !== step - 1 || toOrdinal % step !== 0) continue;
        const tokenBudget = BUDGETS[compared % BUDGETS.length] ?? 0;
        const ask = { ask: 'prepareBranch', path, fromOrdinal, toOrdinal, tokenBudget } as const;
        const theirs = await reference.ask(ask);
        const branch = session.getBranch(from.id);
        const { entries: left } = findLeftBehind(branch, session.getBranch(to.id));
        const entryOrdinals = left.map((entry) => entries.indexOf(entry));
        const ours = { entryOrdinals, ...prepareBranch(left.map(asRecord), tokenBudget) };
        const where = `${basename(path)} from ${fromOrdinal} to ${toOrdinal} in ${tokenBudget}`;
        expect({ where, ours: toJson(ours) }).toEqual({ where, ours: theirs });
        compared += 1;
      }
    }
  }
  expect(compared).toBeGreaterThan(300);
});
