// First of all: it has to be there before anything takes a function out of node:fs.
import { realFs as fs } from './fault-layer.mjs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { sampleSession } from '../../sample-session.ts';
import { toJsonl } from '../../temp-dir.ts';
import { runTest } from '../../memory-terminal.ts';
import { HOME, ID, LINE, SESSION } from './one-claude-session.ts';
import { toFiles } from './sandbox.ts';
import { makeSandbox } from './sandbox-root.ts';
import { begin, runUndisturbed, runWatched, type Scenario } from './walk.ts';

const root = makeSandbox();

/** In directories of their own: each is moved to a trash by itself. */
const SIDECARS: Readonly<Record<string, string>> = {
  [`${HOME}/${ID}/tool-results/long.txt`]: 'long',
  [`.claude/file-history/${ID}/0123456789abcdef@v1`]: 'before',
  [`.claude/todos/${ID}-agent-${ID}.json`]: '[]',
};
const OWN: Readonly<Record<string, string>> = { [SESSION]: toJsonl([LINE]), ...SIDECARS };
const FILES = toFiles({
  ...OWN,
  '.pi/agent/sessions/--w--/one.jsonl': toJsonl(sampleSession({ id: 'one' })),
});

const REMOVE = ['prune', SESSION, '--older-than', '30d', '--allow-empty', '--apply'];

function toScenario(name: string, argv: readonly string[]): Scenario {
  const run = (home: string) => runTest([...argv, '--jobs', '1'], { cwd: home, home });
  return { name, files: FILES, run };
}

function isThere(name: string): boolean {
  return fs.existsSync(join(root, name));
}

/** As a restore does: what is there stays, and the session comes last. */
function putBack(): void {
  for (const [name, text] of Object.entries(OWN).toReversed()) {
    if (isThere(name)) continue;
    fs.mkdirSync(dirname(join(root, name)), { recursive: true });
    fs.writeFileSync(join(root, name), text);
  }
}

/** Only what is being removed in that very moment can go. */
it.each([
  ['--delete', ['--delete']],
  ['--archive', ['--archive', 'archive']],
  ['to the trash', []],
])('leaves the sidecars of a session that another run puts back: %s', async (name, argv) => {
  const scenario = toScenario(name, [...REMOVE, ...argv]);
  const { calls } = await runUndisturbed(scenario, root);
  const defects: string[] = [];
  let returned = 0;
  const begun = calls.findIndex(
    ({ name: call, path }) => ['unlink', 'rename'].includes(call) && path === join(root, SESSION),
  );
  expect(begun).toBeGreaterThan(0);
  for (const { number } of calls.slice(begun)) {
    let where = '';
    const { run } = await runWatched(scenario, root, (call) => {
      if (call.number !== number || isThere(SESSION)) return undefined;
      where = `${call.name} ${call.path} ${call.to}`;
      putBack();
      return undefined;
    });
    if (where === '') continue;
    returned += 1;
    const lost = Object.keys(OWN).filter((one) => !isThere(one));
    if (lost.length > 1 || lost.includes(SESSION)) {
      defects.push(`before ${where}: ${lost.join(' ')}\n${run.out}${run.err}`);
    }
  }
  expect(defects).toEqual([]);
  expect(returned).toBeGreaterThan(0);
});

it('restores the sidecars that another run takes away before the session is back', async () => {
  const restore = toScenario('restore', ['prune', '--archive', 'archive', '--restore', 'all']);
  const prepare = async (home: string): Promise<void> => {
    await runTest([...REMOVE, '--archive', 'archive'], { cwd: home, home });
    putBack();
    fs.rmSync(join(root, SESSION));
  };
  const scenario = await begin({ ...restore, prepare }, root);
  const { calls } = await runUndisturbed(scenario, root);
  const defects: string[] = [];
  for (const { number } of calls) {
    let where = '';
    const { run } = await runWatched(scenario, root, (call) => {
      if (call.number !== number || isThere(SESSION)) return undefined;
      where = `${call.name} ${call.path} ${call.to}`;
      for (const name of Object.keys(SIDECARS)) fs.rmSync(join(root, name), { force: true });
      return undefined;
    });
    const lost = Object.keys(OWN).filter((one) => !isThere(one));
    if (lost.length > 0 && run.exitCode === 0) {
      defects.push(`before ${where}: ${lost.join(' ')}\n${run.out}${run.err}`);
    }
  }
  expect(defects).toEqual([]);
});
