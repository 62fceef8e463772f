import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { on } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** JSON that the agent made; the tests compare it as it is. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json };

/** Entries are named by ordinal: their position in the file among all entries, the first being 0. */
export type Ordinal = number;

export interface ListedSession {
  readonly path: string;
  readonly id?: string;
  readonly cwd: string;
  readonly name?: string;
  /** ISO 8601, or null where pi has an invalid date. */
  readonly created: string | null;
  readonly modified: string | null;
  readonly messageCount: number;
  readonly firstMessage: string;
  readonly parentSessionPath?: string;
}

export interface ReferenceContext {
  readonly messages: readonly Json[];
  readonly thinkingLevel: string;
  readonly model: { readonly provider: string; readonly modelId: string } | null;
}

export interface TreeRow {
  /** Absent, here and below, when the entry has none. */
  readonly id?: string;
  readonly ordinal: Ordinal;
  readonly depth: number;
  readonly label?: string;
  readonly labelTimestamp?: string;
}

export interface OpenedSession {
  /** After migration, as is everything else here. */
  readonly header: { readonly [key: string]: Json };
  readonly name?: string;
  readonly leafId?: string | null;
  readonly entryCount: number;
  readonly branch: readonly string[];
  readonly branchOrdinals: readonly Ordinal[];
  /** Depth first. */
  readonly tree: readonly TreeRow[];
  readonly context: ReferenceContext;
}

export interface Fork {
  /** False when pi holds the file back until something is said. */
  readonly written: boolean;
  /** The new file, or what pi would write. Its `parentSession` is a temporary copy of the source. */
  readonly text: string;
  readonly context: ReferenceContext;
}

export interface CompactionSettings {
  readonly enabled: boolean;
  readonly reserveTokens: number;
  readonly keepRecentTokens: number;
}

export interface Preparation {
  readonly firstKeptEntryOrdinal: Ordinal;
  readonly tokensBefore: number;
  readonly isSplitTurn: boolean;
  readonly messagesToSummarize: readonly Json[];
  readonly turnPrefixMessages: readonly Json[];
  readonly readFiles: readonly string[];
  readonly modifiedFiles: readonly string[];
  readonly previousSummary?: string;
}

export interface BranchPreparation {
  /** What is left, root first. */
  readonly entryOrdinals: readonly Ordinal[];
  readonly messages: readonly Json[];
  readonly totalTokens: number;
  readonly readFiles: readonly string[];
  readonly modifiedFiles: readonly string[];
}

/** The releases that can be driven by a script. */
export const RELEASES = ['0.30.2', '0.32.3', '0.40.1', '0.73.1', '0.87.1', '1.6.0'] as const;
export type Release = (typeof RELEASES)[number];
/** The releases that judge. Where they differ, coppice does what the newest does. */
export type Judge = '0.87.1' | '1.6.0';
export const NEWEST = '1.6.0';

export interface ScriptResult {
  /** The file that the script left, or null when pi wrote none. */
  readonly text: string | null;
  readonly results: readonly Json[];
  /** What the same release shows the model when it opens that file. */
  readonly context: ReferenceContext | null;
}

export interface LateWrite {
  /** The session had a file before the directory was emptied. */
  readonly isSaved: boolean;
  /** The error's, where pi could not write. */
  readonly code: string | null;
  /** What the file then holds. */
  readonly text: string | null;
}

export interface ReferenceContexts {
  readonly leafId: string | null;
  readonly contexts: readonly { readonly id: string; readonly context: ReferenceContext }[];
}

/** A method of pi's `SessionManager` and its arguments; `{$ref: i}` is the result of operation i. */
export type Operation = readonly [method: string, ...args: Json[]];

interface Exchanges {
  list: { request: { dir: string }; answer: readonly ListedSession[] };
  session: { request: { path: string }; answer: OpenedSession };
  contextAt: { request: { path: string; entryOrdinal: Ordinal }; answer: ReferenceContext };
  /** At the entries with these ids; with null, at the end of each branch, in file order. */
  contexts: {
    request: { path: string; ids: readonly string[] | null };
    answer: ReferenceContexts;
  };
  /** After a compaction with this summary; null when pi finds nothing to compact. */
  compact: {
    request: { path: string; settings: CompactionSettings; summary: string };
    answer: ReferenceContext | null;
  };
  /** Without an ordinal: at the current leaf. */
  fork: { request: { path: string; entryOrdinal: Ordinal | null }; answer: Fork };
  forkWhole: { request: { path: string; cwd: string }; answer: Fork };
  prepareCompaction: {
    request: { path: string; settings: CompactionSettings };
    answer: Preparation | null;
  };
  prepareBranch: {
    request: { path: string; fromOrdinal: Ordinal; toOrdinal: Ordinal; tokenBudget: number };
    answer: BranchPreparation;
  };
  /** What a summarizer is given of the context. */
  serialize: { request: { path: string }; answer: string };
  /** What goes to the model of the context. */
  sent: { request: { path: string }; answer: readonly Json[] };
  /** What `convertToLlm` makes of the context. */
  convert: { request: { path: string }; answer: readonly Json[] };
  findCutPoint: {
    request: { path: string; startIndex: number; endIndex: number; keepRecentTokens: number };
    answer: { firstKeptEntryIndex: number; turnStartIndex: number; isSplitTurn: boolean };
  };
  script: {
    request: { release: Release; ops: readonly Operation[]; cwd: string; dir: string };
    answer: ScriptResult;
  };
  /** Says `early`, and then `late`, after the directory of the session was emptied, and removed where `removed`. */
  lateWrite: {
    request: {
      release: Release;
      cwd: string;
      early: readonly Json[];
      late: readonly Json[];
      removed: boolean;
    };
    answer: LateWrite;
  };
}

type Ask = keyof Exchanges;
export type Request = { [A in Ask]: { ask: A } & Exchanges[A]['request'] }[Ask];
export type Answer<R extends Request> = Exchanges[R['ask']]['answer'];

/** Ends a request that would hang for ever; far above what a busy machine takes. */
const HANG_MS = 600_000;
const HERE = fileURLToPath(new URL('reference/', import.meta.url));
export const NODE = join(HERE, 'node_modules/.bin/node');

/** pi went in circles, or its process died: not a refusal, which is an `Error` with pi's message. */
class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

/**
 * The real pi, asked over a process that serves any number of requests, one at a time.
 *
 * `ask` rejects with pi's own message when pi throws, and with a `NoAnswerError` when the answer
 * takes longer than the limit. The next request then finds a new process.
 */
export class Reference {
  readonly #judge: Judge;
  #process: AnsweringProcess | undefined;
  #previous: Promise<unknown> = Promise.resolve();

  constructor(judge: Judge = NEWEST) {
    this.#judge = judge;
  }

  ask<R extends Request>(request: R, timeoutMs = HANG_MS): Promise<Answer<R>> {
    const answer = this.#previous.then(() => this.#exchange(request, timeoutMs));
    this.#previous = answer.catch(() => undefined);
    return answer;
  }

  /** Waits for what was asked before, then ends the process. */
  async close(): Promise<void> {
    await this.#previous;
    this.#stop();
  }

  #stop(): void {
    this.#process?.stop();
    this.#process = undefined;
  }

  async #exchange<R extends Request>(request: R, timeoutMs: number): Promise<Answer<R>> {
    this.#process ??= new AnsweringProcess(this.#judge);
    const line = await this.#process.exchange(JSON.stringify(request), timeoutMs);
    if (line === undefined) {
      const cause = this.#process.stderr;
      this.#stop();
      const limit = `within ${timeoutMs} ms`;
      throw new NoAnswerError(`No answer ${limit} to ${JSON.stringify(request)}`, { cause });
    }
    const answer: Answer<R> | { error: string } = JSON.parse(line);
    if (typeof answer === 'object' && answer !== null && 'error' in answer)
      throw new Error(answer.error);
    return answer;
  }
}

/** One run of `answer.mjs`, with a temporary directory of its own that goes when it stops. */
class AnsweringProcess {
  readonly #tmp = mkdtempSync(join(tmpdir(), 'coppice-reference-'));
  readonly #child: ChildProcessWithoutNullStreams;
  stderr = '';

  constructor(judge: Judge) {
    if (!existsSync(NODE)) {
      throw new Error('The reference is not installed: npm ci --prefix test/conformance/reference');
    }
    this.#child = spawn(NODE, [join(HERE, 'answer.mjs'), judge], {
      env: { HOME: this.#tmp, TMPDIR: this.#tmp, TZ: 'UTC' },
    });
    this.#child.stdout.setEncoding('utf8');
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    // Comes with the end of stdout, which is where a dead process is noticed.
    this.#child.stdin.on('error', (error) => (this.stderr += error.message));
  }

  /** Undefined when the process ended or the time is up. */
  async exchange(line: string, timeoutMs: number): Promise<string | undefined> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const chunks: string[] = [];
    this.#child.stdin.write(`${line}\n`);
    try {
      const output = on(this.#child.stdout, 'data', { signal: timeout, close: ['close'] });
      for await (const [chunk] of output) {
        chunks.push(String(chunk));
        if (String(chunk).endsWith('\n')) return chunks.join('');
      }
    } catch (error) {
      if (!timeout.aborted) throw error;
    }
    return undefined;
  }

  stop(): void {
    this.#child.kill('SIGKILL');
    rmSync(this.#tmp, { recursive: true, force: true, maxRetries: 3 });
  }
}
