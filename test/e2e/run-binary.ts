import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const BINARY = fileURLToPath(new URL('../../bin/coppice.js', import.meta.url));

export interface BinaryRun {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface BinaryOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Of another build than this one. */
  readonly binary?: string;
  /** All of standard input; null leaves it open. */
  readonly input?: string | null;
  /** Sees the process while it runs. */
  readonly onStart?: (child: ChildProcess) => void;
}

/** Runs the built binary in a sealed environment. */
export async function runBinary(
  args: readonly string[],
  { cwd, env, binary = BINARY, input = '', onStart }: BinaryOptions = {},
): Promise<BinaryRun> {
  const sealed = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', TZ: 'UTC', ...env };
  const child = spawn(process.execPath, [binary, ...args], { cwd, env: sealed });
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  if (input !== null) child.stdin.end(input);
  onStart?.(child);
  return new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, ...output }));
  });
}
