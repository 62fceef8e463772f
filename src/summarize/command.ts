import type { Variables } from '../session/dialect/surroundings/world.ts';
import { spawn } from 'node:child_process';
import { type Summarizer, type Summary, SummaryError } from '../session/model/text/summarizer.ts';
import { summarizeInChunks } from './in-chunks.ts';
import { hideSecrets } from './hide-secrets.ts';
import { SYSTEM_PROMPT } from './prompts.ts';

export interface CommandOptions {
  /** A command line for the shell. */
  readonly command: string;
  readonly env: Variables;
  readonly cwd: string;
  /** The context window of the model behind it, in tokens. */
  readonly windowTokens: number;
  readonly timeoutMs: number;
}

/** The part of the output of a failed program that is reported: its end. */
const MAX_STDERR = 600;
const MAX_STDOUT = 4_000_000;
/** How long a program may take to go when it is asked to. */
const KILL_AFTER_MS = 2000;

/** Lets any program make the summary: the prompt on its stdin, the summary on its stdout. */
export function createCommand(options: CommandOptions): Summarizer {
  return summarizeInChunks(
    (prompt, { signal }) => run(options, `${SYSTEM_PROMPT}\n\n${prompt}`, signal),
    options.windowTokens,
  );
}

async function run(
  { command, env, cwd, timeoutMs }: CommandOptions,
  prompt: string,
  signal: AbortSignal,
): Promise<Summary> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const stop = AbortSignal.any([signal, timeout]);
  const { code, stdout, stderr, problem } = await exchange({ command, env, cwd }, prompt, stop);
  signal.throwIfAborted();
  if (timeout.aborted) throw new SummaryError(`the command took longer than ${timeoutMs / 1000} s`);
  if (problem !== undefined) throw new SummaryError(`the command does not run: ${problem}`);
  if (stdout.length > MAX_STDOUT) {
    throw new SummaryError(`the command printed more than ${MAX_STDOUT} characters`);
  }
  if (code !== 0) {
    const redacted = hideSecrets(stderr.trim(), listKeys(env));
    const said = redacted.slice(-MAX_STDERR) || 'nothing on stderr';
    throw new SummaryError(`the command failed (exit ${code ?? 'by a signal'}): ${said}`);
  }
  if (stdout.trim() === '') throw new SummaryError('the command printed nothing');
  return { text: stdout.trim() };
}

const KEY_NAME = /key|token|secret|passw|credential/i;

/** Lists the keys in the environment: the program gets them, and its answer must not hold them. */
function listKeys(env: CommandOptions['env']): readonly (string | undefined)[] {
  return Object.entries(env).flatMap(([name, value]) => (KEY_NAME.test(name) ? [value] : []));
}

interface Exchanged {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly problem: string | undefined;
}

function exchange(
  { command, env, cwd }: Pick<CommandOptions, 'command' | 'env' | 'cwd'>,
  prompt: string,
  stop: AbortSignal,
): Promise<Exchanged> {
  return new Promise((resolve) => {
    // A group of its own, so that what the shell has started goes with it.
    const child = spawn(command, { shell: true, detached: true, env, cwd });
    const kill = (signal: NodeJS.Signals) => killGroup(child.pid, signal);
    let [stdout, stderr, problem]: [string, string, string | undefined] = ['', '', undefined];
    let killing: NodeJS.Timeout | undefined;
    const onStop = () => {
      kill('SIGTERM');
      killing ??= setTimeout(() => kill('SIGKILL'), KILL_AFTER_MS);
    };
    stop.addEventListener('abort', onStop, { once: true });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (stdout.length <= MAX_STDOUT) stdout += text;
      if (stdout.length > MAX_STDOUT) onStop();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-MAX_STDERR * 2);
    });
    child.on('error', (error) => (problem = error.message));
    child.on('close', (code) => {
      stop.removeEventListener('abort', onStop);
      clearTimeout(killing);
      resolve({ code, stdout, stderr, problem });
    });
    // A program that does not read all of its input is free to do so.
    child.stdin.on('error', () => undefined);
    child.stdin.end(prompt);
  });
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended by itself.
  }
}
