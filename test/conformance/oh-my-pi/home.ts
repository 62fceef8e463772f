import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createIds, runTest } from '../../memory-terminal.ts';
import { Agent } from './agent.ts';

/** Sessions of which the context is another: what the agent leaves out, where pi does so later, or puts in. */
export const KNOWN_DIFFERENCES: Readonly<Record<string, string>> = {
  'open call': 'calls without a result',
  'failed turn': 'answers that failed or were stopped',
  'compacted by its provider': 'messages that the summary of the provider holds',
  notes: 'the notes of the model to itself',
};

/** A home in which oh-my-pi has made sessions of all kinds. */
export interface MadeHome {
  readonly home: string;
  readonly agent: Agent;
  readonly store: string;
  /** The paths of sessions by name. */
  readonly made: ReadonlyMap<string, string>;
  /** Brings all sessions back as they were made. */
  reset(): void;
  close(): Promise<void>;
}

export async function makeHome(): Promise<MadeHome> {
  const base = mkdtempSync(join(tmpdir(), 'coppice-oh-my-pi-'));
  const [home, kept] = [join(base, 'home'), join(base, 'kept')];
  mkdirSync(home);
  const agent = new Agent(home);
  const made = new Map(Object.entries(await agent.ask('make', {})));
  const store = join(home, '.omp/agent/sessions');
  const copy = (from: string, to: string): void =>
    cpSync(from, to, { recursive: true, preserveTimestamps: true });
  copy(store, kept);
  return {
    home,
    agent,
    store,
    made,
    reset() {
      rmSync(store, { recursive: true });
      copy(kept, store);
    },
    async close() {
      await agent.close();
      rmSync(base, { recursive: true });
    },
  };
}

/** Of all commands of a suite, no two make the same. */
const createId = createIds();

/** The results of a command of coppice, of which none failed. */
export async function run<Result>(home: string, ...argv: string[]): Promise<readonly Result[]> {
  const world = { home, env: { TZ: 'UTC' }, createId };
  const { out, err, exitCode } = await runTest([...argv, '--json'], world);
  if (exitCode !== 0) throw new Error(`${argv.join(' ')}: ${err}${out}`);
  const { results }: { results: readonly Result[] } = JSON.parse(out);
  return results;
}
