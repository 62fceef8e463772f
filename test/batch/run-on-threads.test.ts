import { expect, it, onTestFinished, vi } from 'vitest';
import { runOnThreads } from '../../src/batch/run-on-threads.ts';
import type { Task } from '../../src/batch/task.ts';

const thread = await vi.hoisted(async () => {
  const events = await import('node:events');
  /** A thread as Node may show it under load: what it threw comes before what it had reported. */
  class LateThread extends events.EventEmitter {
    static fails = true;

    constructor() {
      super();
      setImmediate(() => {
        if (LateThread.fails) this.emit('error', new Error('stopped'));
        setImmediate(() => {
          this.emit('message', [{ index: 1, ok: true, value: 'written' }]);
          this.emit('exit', 1);
        });
      });
    }

    postMessage(): void {
      // It stops by itself.
    }
  }
  return { LateThread };
});

vi.mock('node:worker_threads', () => ({ Worker: thread.LateThread }));

const task: Task<undefined, string, string> = {
  name: 'none',
  atOnce: 1,
  start: () => (item) => Promise.resolve(item),
};

it.each(['is stopped', 'fails'])(
  'receives all that a thread has done when the run %s',
  async (how) => {
    const stop = new AbortController();
    const done: string[] = [];
    const work = { items: ['a', 'b'], sizes: [1, 2], threads: 2 };
    const running = runOnThreads(task, undefined, work, {
      jobs: 2,
      signal: stop.signal,
      onDone: (outcome) => {
        if (outcome.ok) done.push(outcome.value);
        if (how === 'is stopped') stop.abort();
      },
    });
    await expect(running).rejects.toThrow(how === 'fails' ? 'stopped' : 'aborted');
    expect(done).toContain('written');
  },
);

it('gives each item that is left a value of its own, where there is one, when the run is stopped', async () => {
  // A thread that is stopped just ends.
  thread.LateThread.fails = false;
  onTestFinished(() => void (thread.LateThread.fails = true));
  const stop = new AbortController();
  const work = { items: ['a', 'b', 'c'], sizes: [1, 2, 3], threads: 2 };
  const outcomes = await runOnThreads(task, undefined, work, {
    jobs: 2,
    signal: stop.signal,
    onDone: () => stop.abort(),
    toStopped: (item) => `left ${item}`,
  });
  const found = outcomes.map((one) => (one.ok ? one.value : undefined));
  expect(found).toEqual(['left a', 'written', 'c']);
});

it('throws what a thread has thrown also where the run was stopped', async () => {
  const stop = new AbortController();
  const running = runOnThreads(
    task,
    undefined,
    { items: ['a', 'b'], sizes: [1, 2], threads: 2 },
    {
      jobs: 2,
      signal: stop.signal,
      onDone: () => stop.abort(),
      toStopped: (item) => `left ${item}`,
    },
  );
  await expect(running).rejects.toThrow('stopped');
});
