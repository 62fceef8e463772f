import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const POLL_MS = 50;
const FINISHED = new Set(['COMPLETED', 'FAILED', 'CANCELLED', 'NODE_FAIL', 'TIMEOUT']);

/** How a task is stopped in the middle. */
export type Blow = 'scancel' | 'kill -9' | 'requeue';

export interface Victim {
  readonly task: number;
  readonly blow: Blow;
  /** After the task has begun; milliseconds. */
  readonly delay: number;
}

interface ArrayOptions {
  /** As for `sbatch --array`. */
  readonly range: string;
  /** For a shell; `$SLURM_ARRAY_TASK_ID` tells tasks apart. */
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  /** Scripts and logs are kept there. */
  readonly dir: string;
  readonly victims?: readonly Victim[];
}

/**
 * Submits a job array, stops some of its tasks, has Slurm run those again, and waits until all are done.
 * Returns how many were stopped before they had ended by themselves.
 * @throws when a task that was not stopped fails, with what it has printed.
 */
export async function runArray({
  range,
  command,
  env,
  dir,
  victims = [],
}: ArrayOptions): Promise<number> {
  await mkdir(dir, { recursive: true });
  const script = join(dir, 'job.sh');
  const pid = `${dir}/$SLURM_ARRAY_TASK_ID.pid`;
  await writeFile(
    script,
    `#!/bin/sh\nset -eu\necho $$ > ${pid}.new; mv ${pid}.new ${pid}\n${command}\n`,
  );
  await chmod(script, 0o755);
  const submit = ['--parsable', '--requeue', `--array=${range}`, `--chdir=${dir}`];
  const logs = [`--output=${dir}/%a.out`, `--error=${dir}/%a.err`, '--open-mode=truncate'];
  const { stdout } = await execute('sbatch', [...submit, ...logs, script], { env });
  const job = stdout.trim();
  const stopped = await Promise.all(victims.map((victim) => stop(job, dir, victim, env)));
  await waitForAll(job, dir, env);
  return stopped.filter(Boolean).length;
}

async function stop(
  job: string,
  dir: string,
  { task, blow, delay }: Victim,
  env: ArrayOptions['env'],
): Promise<boolean> {
  const id = `${job}_${task}`;
  const pidFile = join(dir, `${task}.pid`);
  while (!existsSync(pidFile)) await wait(POLL_MS);
  const pid = Number(await readFile(pidFile, 'utf8'));
  await wait(delay);
  try {
    if (blow === 'scancel') await execute('scancel', [id], { env });
    else if (blow === 'requeue') await execute('scontrol', ['requeue', id], { env });
    else process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself, and is left so.
    return false;
  }
  if (blow !== 'requeue') {
    const state = await waitForEnd(id, env);
    if (state === 'COMPLETED') return false;
    await execute('scontrol', ['requeue', id], { env });
  }
  return true;
}

interface TaskState {
  readonly task: string;
  readonly state: string;
  /** Why it is not running. */
  readonly reason: string;
}

async function listStates(id: string, env: ArrayOptions['env']): Promise<readonly TaskState[]> {
  const format = ['--noheader', '--array', '--states=all', '--format=%K %T %r'];
  const { stdout } = await execute('squeue', [...format, `--jobs=${id}`], { env });
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [task = '', state = '', reason = ''] = line.trim().split(' ');
      return { task, state, reason };
    });
}

async function waitForEnd(id: string, env: ArrayOptions['env']): Promise<string> {
  for (;;) {
    const [one] = await listStates(id, env);
    if (one && FINISHED.has(one.state)) return one.state;
    await wait(POLL_MS);
  }
}

async function waitForAll(job: string, dir: string, env: ArrayOptions['env']): Promise<void> {
  const hurried = new Set<string>();
  for (;;) {
    const states = await listStates(job, env);
    const failed = states.find(({ state }) => FINISHED.has(state) && state !== 'COMPLETED');
    if (failed) {
      const { task, state } = failed;
      const logs = ['out', 'err'].map((name) => readFile(join(dir, `${task}.${name}`), 'utf8'));
      throw new Error(
        `task ${task}: ${state}\n${(await Promise.all(logs)).join('\n').slice(-4000)}`,
      );
    }
    if (states.every(({ state }) => state === 'COMPLETED')) return;
    for (const { task, reason } of states) {
      if (reason === 'BeginTime' && !hurried.has(task)) await hurry(`${job}_${task}`, env);
      if (reason === 'BeginTime') hurried.add(task);
    }
    await wait(POLL_MS * 4);
  }
}

/**
 * A task that is requeued begins after two minutes, unless it is told otherwise; and it must not begin in
 * the second in which it ended: its credential is revoked up to then.
 */
async function hurry(id: string, env: ArrayOptions['env']): Promise<void> {
  await execute('scontrol', ['update', `JobId=${id}`, 'StartTime=now+2'], { env });
}
