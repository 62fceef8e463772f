import { expect, it } from 'vitest';
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
