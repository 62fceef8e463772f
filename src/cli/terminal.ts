import { addAbortSignal } from 'node:stream';
import { getSystemErrorMap } from 'node:util';
import type { GenericFormatter, SingleBar } from 'cli-progress';
import type { Output, Progress, Terminal } from '../commands/command.ts';
import { getWords } from '../session/jsonl/files/file-error.ts';
import { formatProgress } from '../report/text/progress.ts';

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(content: string | Uint8Array, onDone: () => void): boolean;
  on(event: 'drain' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

/** The fewest files for which a progress bar would not only flicker. */
const WORTH_A_BAR = 20;

/** The width of a terminal that does not know its own, as in a container or under `script`: 0 columns. */
const USUAL_WIDTH = 80;

function getWidth({ columns }: Pick<Stream, 'columns'>): number {
  return columns === undefined || columns === 0 ? USUAL_WIDTH : columns;
}

class StreamOutput implements Output {
  readonly #stream: Stream;
  #isClosed = false;
  #failure: string | undefined;
  /** How many writes have not ended. */
  #pending = 0;
  /** Writers that wait for the reader of a pipe, and callers that wait for all of it. */
  #waiting: (() => void)[] = [];

  constructor(stream: Stream) {
    this.#stream = stream;
    for (const event of ['drain', 'close'] as const) stream.on(event, () => this.#goOn());
    stream.on('error', (error) => {
      // `| head` closes the pipe: the rest of the output has no reader, the work continues.
      if (error.code !== 'EPIPE') this.#failure ??= describeError(error);
      this.#isClosed = true;
      this.#goOn();
    });
  }

  get isTerminal(): boolean {
    return this.#stream.isTTY === true;
  }

  get columns(): number | undefined {
    return this.isTerminal ? getWidth(this.#stream) : undefined;
  }

  #goOn(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  get isAbandoned(): boolean {
    return this.#isClosed;
  }

  async write(content: string | Uint8Array): Promise<void> {
    if (this.#isClosed || content.length === 0) return;
    this.#pending += 1;
    const hasRoom = this.#stream.write(content, () => {
      this.#pending -= 1;
      if (this.#pending === 0) this.#goOn();
    });
    if (!hasRoom) await this.#wait();
  }

  async flush(): Promise<string | undefined> {
    while (this.#pending > 0 && !this.#isClosed) await this.#wait();
    return this.#failure;
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }
}

function describeError({ code, errno, message }: NodeJS.ErrnoException): string {
  return getWords(code) ?? getSystemErrorMap().get(errno ?? 0)?.[1] ?? message;
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Starts a progress bar. Its library is loaded only then: most runs have no terminal. */
function startBar(stream: NodeJS.WriteStream, label: string, total: number): Progress {
  const startedAt = Date.now();
  let [done, isOver] = [0, false];
  let bar: SingleBar | undefined;
  const format: GenericFormatter = (_options, { value }) =>
    formatProgress({
      label,
      value,
      total,
      elapsedMs: Date.now() - startedAt,
      columns: getWidth(stream),
    });
  const draw = async (): Promise<void> => {
    const { default: cliProgress } = await import('cli-progress');
    if (isOver) return;
    bar = new cliProgress.SingleBar({ format, stream, clearOnComplete: true, hideCursor: true });
    bar.start(total, done);
  };
  void draw();
  return {
    advance() {
      done += 1;
      bar?.update(done);
    },
    stop() {
      isOver = true;
      bar?.stop();
    },
  };
}

const SILENT: Progress = { advance: () => undefined, stop: () => undefined };

/** The terminal of a real process. */
export function openTerminal(process: NodeJS.Process): Terminal {
  const err = new StreamOutput(process.stderr);
  return {
    out: new StreamOutput(process.stdout),
    err,
    readInput: (signal) => readAll(addAbortSignal(signal, process.stdin)),
    openInput: (signal) => addAbortSignal(signal, process.stdin),
    startProgress: (label, total) =>
      err.isTerminal && total >= WORTH_A_BAR ? startBar(process.stderr, label, total) : SILENT,
  };
}
