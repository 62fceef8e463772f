import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { rolldown } from 'rolldown';

const SOURCE = fileURLToPath(new URL('../../../src/session/jsonl/', import.meta.url));
const DEAD_PID = spawnSync(process.execPath, ['--version']).pid;
const [GO, KILL] = [1, 2];

export interface Move {
  readonly from: string;
  readonly to: string;
  /** Whether another file there begins with all of it; otherwise it is the same one, or is to become it. */
  readonly isTwin: boolean;
  readonly backup?: string | undefined;
  readonly lacksLinks?: boolean;
}

/** Bundles what moves files, since threads do not transform modules. */
export async function bundleMoves(directory: string): Promise<string> {
  const entry = join(directory, 'entry.ts');
  const names = ['write/move-file.ts', 'files/sync-calls.ts'];
  writeFileSync(
    entry,
    names.map((name) => `export * from ${JSON.stringify(SOURCE + name)};`).join('\n'),
  );
  const bundle = join(directory, 'moves.mjs');
  const built = await rolldown({ input: entry, platform: 'node', logLevel: 'silent' });
  await built.write({ file: bundle, format: 'es', codeSplitting: false });
  await built.close();
  return bundle;
}

/** Several runs, of which one makes its next call that matters at a time. */
export class Stepper {
  readonly #runs: readonly Run[];

  constructor(many: number, root: string, bundle: string) {
    this.#runs = Array.from({ length: many }, () => new Run(root, bundle));
  }

  /**
   * Lets each run make its move. `choose` decides which of so many goes on, or is killed. Returns how each ended.
   */
  async play(
    moves: readonly Move[],
    choose: (count: number) => { readonly at: number; readonly isKill: boolean },
  ): Promise<readonly string[]> {
    const runs = this.#runs.slice(0, moves.length);
    for (const [at, run] of runs.entries()) await run.start(moves[at]);
    for (let left = listWaiting(runs); left.length > 0; left = listWaiting(runs)) {
      const { at, isKill } = choose(left.length);
      await left[at]?.step(isKill ? KILL : GO);
    }
    return runs.map((run) => run.end ?? '');
  }

  async stop(): Promise<void> {
    for (const run of this.#runs) await run.stop();
  }
}

function listWaiting(runs: readonly Run[]): readonly Run[] {
  return runs.filter(({ end }) => end === undefined);
}

class Run {
  /** Undefined while it waits for its turn. */
  end: string | undefined;
  readonly #turn = new Int32Array(new SharedArrayBuffer(4));
  readonly #worker: Worker;

  constructor(root: string, bundle: string) {
    const workerData = { root, bundle, gate: this.#turn.buffer, pid: DEAD_PID };
    this.#worker = new Worker(new URL('step-worker.mjs', import.meta.url), { workerData });
  }

  async start(move: Move | undefined): Promise<void> {
    this.end = undefined;
    const told = this.#hear();
    this.#worker.postMessage(move);
    await told;
  }

  async step(how: number): Promise<void> {
    const told = this.#hear();
    Atomics.store(this.#turn, 0, how);
    Atomics.notify(this.#turn, 0);
    await told;
  }

  stop(): Promise<number> {
    return this.#worker.terminate();
  }

  /** Waits until it comes to a call, or to its end. */
  #hear(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#worker.removeAllListeners();
      this.#worker.once('error', reject);
      this.#worker.once('message', (said: string) => {
        if (said !== 'call') this.end = said;
        resolve();
      });
    });
  }
}

/** Empties the directories, and puts the text there under these paths. */
export function setUpFiles(root: string, paths: readonly string[], text: string): void {
  rmSync(root, { recursive: true, force: true });
  for (const path of paths) {
    mkdirSync(join(path, '..'), { recursive: true });
    if (!existsSync(path)) writeFileSync(path, text);
  }
}
