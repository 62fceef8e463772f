import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const BIN = fileURLToPath(new URL('../../bin/coppice.js', import.meta.url));

export interface Ended {
  /** Null after a signal that ended it. */
  readonly exitCode: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Run {
  readonly child: ChildProcess;
  readonly done: Promise<Ended>;
}

/** Starts a program in a sealed environment. */
export function start(
  command: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'uid' | 'gid' | 'env'> = {},
): Run {
  const sealed = { PATH: process.env['PATH'], HOME: '/nonexistent', TZ: 'UTC', NO_COLOR: '1' };
  const env = { ...sealed, ...options.env };
  const child = spawn(command, args, {
    ...options,
    env,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const done = once(child, 'close').then(() => ({ exitCode: child.exitCode, out, err }));
  return { child, done };
}

/** Runs the built program to its end; `node`: by another Node than this one. */
export function coppice(
  args: readonly string[],
  { node = process.execPath, ...options }: CoppiceOptions = {},
) {
  return start(node, [BIN, ...args], options).done;
}

export interface CoppiceOptions extends Pick<SpawnOptions, 'uid' | 'gid' | 'env'> {
  readonly node?: string | undefined;
}
