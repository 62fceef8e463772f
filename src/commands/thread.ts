import type { AnyTask } from '../batch/serve-thread.ts';
import { serveThread } from '../batch/serve-thread.ts';

/** The tasks that commands run on other threads; each is loaded when a thread needs it. */
const TASKS = {
  check: () => import('./validate/task.ts'),
  export: () => import('./export/task.ts'),
  migrate: () => import('./migrate/task.ts'),
  parquet: () => import('./export/parquet-task.ts'),
  summarize: () => import('./shared/summaries-task.ts'),
} as const;

async function loadTask(name: string): Promise<AnyTask> {
  const found = Object.entries(TASKS).find(([known]) => known === name);
  if (!found) throw new Error(`no task of the name ${name}`);
  const { task } = await found[1]();
  // Setup and items come from the same task on the main thread.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return task as AnyTask;
}

void serveThread(loadTask);
