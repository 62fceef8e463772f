import { Readable } from 'node:stream';
import { runCli } from '../src/cli/run-cli.ts';
import type { Context, Output, Terminal } from '../src/commands/command.ts';
import type { ExitCode } from '../src/errors.ts';

export interface TestRun {
  readonly exitCode: ExitCode;
  readonly out: string;
  readonly err: string;
  /** What of standard output is not text, where something is. */
  readonly bytes?: Buffer;
}

export interface TestWorld extends Partial<Omit<Context, 'terminal'>> {
  /** What standard input holds. */
  readonly input?: string | Buffer;
  /** A terminal of this width; without it, output goes to a pipe. */
  readonly columns?: number;
  /** Why standard output cannot be written. */
  readonly outputFailure?: string;
  readonly startProgress?: Terminal['startProgress'];
  /** Called when files have been found, and before any is read. */
  readonly onFound?: () => void;
}

/** A moment after everything that fixtures record, and after all files that tests write: these have the machine's time. */
export const NOW = Date.parse('2127-01-15T12:00:00.000Z');

class MemoryOutput implements Output {
  readonly columns: number | undefined;
  text = '';

  readonly failure: string | undefined;

  constructor(columns: number | undefined, failure?: string) {
    this.columns = columns;
    this.failure = failure;
  }

  get isTerminal(): boolean {
    return this.columns !== undefined;
  }

  readonly isAbandoned = false;
  readonly #chunks: Buffer[] = [];

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  write(content: string | Uint8Array): Promise<void> {
    if (this.failure !== undefined) return Promise.resolve();
    if (typeof content === 'string') this.text += content;
    else this.#chunks.push(Buffer.from(content));
    return Promise.resolve();
  }

  flush(): Promise<string | undefined> {
    return Promise.resolve(this.failure);
  }
}

/** Runs one command line in this process, in a sealed world: no real home, terminal or clock. */
export async function runTest(argv: readonly string[], world: TestWorld = {}): Promise<TestRun> {
  const { input = '', columns, outputFailure, startProgress, onFound, ...context } = world;
  const [out, err] = [new MemoryOutput(columns, outputFailure), new MemoryOutput(undefined)];
  let rest = Buffer.from(input).toString();
  // As of a pipe, nothing is left to be read again.
  const readInput = (): Promise<string> => {
    const read = rest;
    rest = '';
    return Promise.resolve(read);
  };
  const terminal: Terminal = {
    out,
    err,
    readInput,
    openInput: () => Readable.from([Buffer.from(input)]),
    startProgress:
      startProgress ??
      (() => {
        onFound?.();
        return { advance: () => undefined, stop: () => undefined };
      }),
  };
  const exitCode = await runCli(argv, {
    env: {},
    cwd: '/nowhere',
    home: '/home/nobody',
    now: () => NOW,
    createId: createIds(),
    signal: new AbortController().signal,
    ...context,
    terminal,
  });
  const { text, bytes } = out;
  return { exitCode, out: text, err: err.text, ...(bytes.length > 0 && { bytes }) };
}

/** Ids of the right shape, the same in every run. */
export function createIds(): () => string {
  let count = 0;
  return () => `01900000-0000-7000-8000-0000${(count += 1).toString(16).padStart(8, '0')}`;
}
