import { expect, it } from 'vitest';
import { FileError } from '../../src/errors.ts';
import { runBatch } from '../../src/batch/run-batch.ts';

const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

it('waits for what is begun, and reports its outcome, before it throws that the run was stopped', async () => {
  const stopping = new AbortController();
  const done: number[] = [];
  const job = async (item: number): Promise<void> => {
    await later();
    if (item === 0) stopping.abort();
    else await later();
  };
  const run = runBatch([0, 1, 2], job, {
    jobs: 2,
    signal: stopping.signal,
    onDone: ({ item }) => done.push(item),
  });
  await expect(run).rejects.toMatchObject({ name: 'AbortError' });
  expect(done).toEqual([0, 1]);
});

it('waits for what is begun, and begins nothing more, before it throws what a job has thrown', async () => {
  const done: number[] = [];
  const job = async (item: number): Promise<void> => {
    if (item === 0) throw new TypeError('a bug');
    await later();
  };
  const run = runBatch([0, 1, 2], job, {
    jobs: 2,
    signal: new AbortController().signal,
    onDone: ({ item }) => done.push(item),
  });
  await expect(run).rejects.toThrow('a bug');
  expect(done).toEqual([1]);
});

it('gives each item that is left a value of its own, where there is one, when the run is stopped', async () => {
  const stopping = new AbortController();
  const job = async (item: number): Promise<string> => {
    if (item === 1) stopping.abort();
    // Reading ends with it in the middle of a file.
    stopping.signal.throwIfAborted();
    return later().then(() => `done ${item}`);
  };
  const toStopped = (item: number): string => {
    if (item === 3) throw new FileError('/3', 'stopped', 'left');
    return `left ${item}`;
  };
  const { signal } = stopping;
  const outcomes = await runBatch([0, 1, 2, 3], job, { jobs: 1, signal, toStopped });
  const found = outcomes.map((one) => (one.ok ? one.value : one.error.path));
  expect(found).toEqual(['done 0', 'left 1', 'left 2', '/3']);
});

it('throws a bug also where the run was stopped', async () => {
  const stopping = new AbortController();
  const job = (): Promise<void> => {
    stopping.abort();
    return Promise.reject(new TypeError('a bug'));
  };
  const how = { jobs: 1, signal: stopping.signal, toStopped: () => undefined };
  await expect(runBatch([0], job, how)).rejects.toThrow('a bug');
});
