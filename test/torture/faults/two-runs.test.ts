// First of all: it has to be there before anything takes a function out of node:fs.
import { type Call, realFs as fs } from './fault-layer.mjs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sampleSession } from '../../sample-session.ts';
import { toJsonl } from '../../temp-dir.ts';
import { runTest } from '../../memory-terminal.ts';
import { chooseCalls } from './choose-calls.ts';
import { HOME, ID, LINE, SESSION } from './one-claude-session.ts';
import { toFiles } from './sandbox.ts';
import { makeSandbox } from './sandbox-root.ts';
import { runUndisturbed, runWatched, type Scenario } from './walk.ts';

const root = makeSandbox();
const PROMPT = { display: 'Hi', project: '/w', sessionId: ID, timestamp: 0, pastedContents: {} };

const FILES = toFiles({
  [SESSION]: toJsonl([LINE]),
  [`${HOME}/${ID}/tool-results/long.txt`]: 'long',
  '.claude/history.jsonl': toJsonl([PROMPT]),
  '.pi/agent/sessions/--w--/one.jsonl': toJsonl(sampleSession({ id: 'one' })),
});

const isToTrash = ({ name, path, to }: Call): boolean =>
  name === 'rename' && !path.includes('/Trash/') && to.includes('/Trash/');
interface Way {
  readonly name: string;
  readonly argv: readonly string[];
  readonly always?: Scenario['always'];
}

const WAYS: readonly Way[] = [
  { name: '--delete', argv: ['--delete'] },
  { name: '--delete --history', argv: ['--delete', '--history'] },
  { name: '--archive', argv: ['--archive', 'archive'] },
  { name: 'to the trash', argv: [] },
  {
    name: 'to the trash of another file system',
    argv: [],
    always: (call) => (isToTrash(call) ? { code: 'EXDEV' } : undefined),
  },
];

function toScenario({ name, argv, always }: Way): Scenario {
  const all = ['prune', SESSION, '--older-than', '30d', '--allow-empty', '--apply', ...argv];
  const run = (home: string) => runTest([...all, '--format', 'ndjson'], { cwd: home, home });
  return { name, files: FILES, run, ...(always && { always }) };
}

/** Another run removes the session before any call of this one: then that one reports it. */
it.each(WAYS)('reports no session that another run has removed: $name', async (way) => {
  const scenario = toScenario(way);
  const { calls } = await runUndisturbed(scenario, root);
  const session = join(root, SESSION);
  const defects: string[] = [];
  let missed = 0;
  for (const number of chooseCalls(calls, root, scenario.name)) {
    let where = '';
    const { run } = await runWatched(scenario, root, (call) => {
      if (call.number !== number || !fs.existsSync(session)) return undefined;
      where = `${call.name} ${call.path} ${call.to}`;
      fs.rmSync(session);
      fs.rmSync(join(root, HOME), { recursive: true });
      return undefined;
    });
    if (where === '') continue;
    missed += run.out.includes('another process removed it first') ? 1 : 0;
    const isClaimed = run.out.includes('"action":"remove"');
    const isFailed = run.out.includes('"action":"fail"');
    if (isClaimed || isFailed) defects.push(`before ${where}: ${run.out}${run.err}`);
  }
  expect(defects).toEqual([]);
  expect(missed).toBeGreaterThan(0);
});

/** What another run removes may be seen to change just before: its time of change, and the number of its names. */
it.each(WAYS)('reports no session that another run removes just then: $name', async (way) => {
  const scenario = toScenario(way);
  const { calls } = await runUndisturbed(scenario, root);
  const session = join(root, SESSION);
  const defects: string[] = [];
  let removed = 0;
  // Once it is gone, this run only looks whether it comes back.
  const last = calls.findLastIndex(({ name, path }) => path === session && name !== 'lstat');
  for (let number = Math.max(1, last - 40); number <= last + 1; number += 1) {
    let where = '';
    let isRemoved = false;
    const { run } = await runWatched(scenario, root, (call) => {
      if (!fs.existsSync(session)) return undefined;
      if (call.number === number) {
        where = `${call.name} ${call.path} ${call.to}`;
        fs.chmodSync(session, 0o640);
      } else if (call.number === number + 1) {
        isRemoved = true;
        fs.rmSync(session);
        fs.rmSync(join(root, HOME), { recursive: true });
      }
      return undefined;
    });
    if (!isRemoved) continue;
    removed += 1;
    if (run.out.includes('"action":"remove"')) defects.push(`at ${where}: ${run.out}${run.err}`);
  }
  expect(defects).toEqual([]);
  expect(removed).toBeGreaterThan(0);
});
