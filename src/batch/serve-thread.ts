import { parentPort, workerData } from 'node:worker_threads';
import { useOwnV8Settings } from './v8-settings.ts';
import { takeItems } from './take-items.ts';
import type { Task, Outcome } from './task.ts';
import type { Assignment, ThreadReport, ThreadResult } from './thread-protocol.ts';

/** Often enough for a progress bar. */
const REPORT_AFTER_MS = 50;

export type AnyTask = Task<unknown, unknown, unknown>;

/** Takes items of what this thread was started for until none is left. To be called once. */
export async function serveThread(loadTask: (name: string) => Promise<AnyTask>): Promise<void> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what run-on-threads has sent
  const assignment = workerData as Assignment<unknown, unknown>;
  const task = await loadTask(assignment.task);
  useOwnV8Settings(task);
  const stopping = new AbortController();
  parentPort?.once('message', () => stopping.abort());
  const reporter = new Reporter();
  try {
    await takeItems(task, assignment, stopping.signal, (index, outcome) =>
      reporter.add(index, outcome),
    );
  } finally {
    // Outcomes are sent even if the thread then ends with an exception.
    reporter.send();
  }
  // It would keep the thread alive.
  parentPort?.close();
}

/** Messages between threads cost more than most items, so that many go in one. */
class Reporter {
  #report: ThreadReport<unknown>[number][] = [];
  #sentAt = performance.now();

  add(index: number, outcome: Outcome<unknown, unknown>): void {
    this.#report.push({ index, ...toResult(outcome) });
    if (performance.now() - this.#sentAt > REPORT_AFTER_MS) this.send();
  }

  send(): void {
    parentPort?.postMessage(this.#report);
    this.#report = [];
    this.#sentAt = performance.now();
  }
}

function toResult(outcome: Outcome<unknown, unknown>): ThreadResult<unknown> {
  if (outcome.ok) return { ok: true, value: outcome.value };
  const { path, code, message } = outcome.error;
  return { ok: false, path, code, message };
}
