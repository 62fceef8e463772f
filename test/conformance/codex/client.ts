import { setTimeout } from 'node:timers/promises';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const PROGRAM = 'vendor/x86_64-unknown-linux-musl/bin/codex';

/** Every kind of thread that the client keeps; it lists only two of them unless asked. */
const ALL_SOURCES = [
  'cli',
  'vscode',
  'exec',
  'appServer',
  'subAgent',
  'subAgentReview',
  'subAgentCompact',
  'subAgentThreadSpawn',
  'subAgentOther',
  'unknown',
];

type Checks = Readonly<
  Record<string, { readonly details: Readonly<Record<string, string>> } | undefined>
>;

/** What `codex doctor` counts of faults. */
const FAULTS = /duplicate|malformed|mismatch|missing|errors|stale/;

/** Ends the history of a thread where it is asked for its context. */
const PROBE = 'ORACLE-MARKER';

export interface Turn extends JsonObject {
  readonly id: string;
  readonly items: readonly JsonObject[];
  readonly status: string;
}

export interface Thread extends JsonObject {
  readonly id: string;
  readonly path: string;
  readonly preview: string;
  readonly name: string | null;
  readonly turns: readonly Turn[];
}

type Item = JsonObject;

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

/**
 * The real Codex. It runs only on copies, with a stand-in for the model, in a network namespace of its
 * own with loopback alone, an environment of its own and a made-up key.
 *
 *     const client = new Codex();
 *     const server = await client.start(home); // a scratch CODEX_HOME, which it changes
 *     const { thread } = await server.resume({ threadId });
 *     const input = await server.probe(threadId); // what the model is sent
 *     await server.stop();
 *     client.close();
 */
export class Codex {
  readonly #waiting = new Map<
    number,
    { resolve: (result: never) => void; reject: (error: Error) => void }
  >();
  readonly #tmp = mkdtempSync(join(realpathSync(tmpdir()), 'codex-'));
  #child: ChildProcessWithoutNullStreams | undefined;
  #count = 0;

  /** A new, empty home; removed in the end. */
  makeHome(): string {
    return mkdtempSync(join(this.#tmp, 'home-'));
  }

  /** Keeps a home as it is, at its own path: databases name absolute paths. */
  keepHome(home: string): { readonly putBack: () => void } {
    const kept = `${home}.kept`;
    rmSync(kept, { recursive: true, force: true });
    cpSync(home, kept, { recursive: true, preserveTimestamps: true });
    return {
      putBack() {
        rmSync(home, { recursive: true, force: true });
        renameSync(kept, home);
      },
    };
  }

  /** With `log`, what goes into its log, as `RUST_LOG` says it. */
  async start(home: string, log = ''): Promise<AppServer> {
    const server = `server-${(this.#count += 1)}`;
    const cwd = join(home, 'work');
    await this.ask('start', server, { program: findProgram(), home, cwd, log });
    return new AppServer(this, server, cwd);
  }

  /** Runs a command of the client itself. */
  run(home: string, ...args: readonly string[]) {
    const request = { program: findProgram(), home, args: [...args] };
    return this.ask<{ status: number; stdout: string; stderr: string }>('run', '', request);
  }

  /** What the client itself counts of faults between its files and its database. It takes seconds. */
  async diagnose(home: string): Promise<ReadonlyMap<string, number>> {
    const copy = this.keepHome(home);
    const { stdout } = await this.run(home, 'doctor', '--json');
    copy.putBack();
    const { checks } = JSON.parse(stdout) as { readonly checks: Checks };
    const found = Object.entries(checks['state.rollout_db_parity']?.details ?? {});
    return new Map(found.flatMap(([what, n]) => (FAULTS.test(what) ? [[what, Number(n)]] : [])));
  }

  ask<T>(op: string, server: string, request: JsonObject = {}): Promise<T> {
    const child = (this.#child ??= this.#start());
    const id = (this.#count += 1);
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      child.stdin.write(`${JSON.stringify({ ...request, id, op, server })}\n`);
    });
  }

  /** Ends what still runs. */
  close(): void {
    this.#child?.stdin.end();
    this.#child?.kill('SIGKILL');
    rmSync(this.#tmp, { recursive: true, force: true, maxRetries: 3 });
  }

  #start(): ChildProcessWithoutNullStreams {
    const program = ['-rn', '--kill-child', process.execPath, join(HERE, 'stand-in.mjs')];
    const child = spawn('unshare', program, { env: { PATH: process.env['PATH'] } });
    let stderr = '';
    let pending = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdin.on('error', (error) => (stderr += error.message));
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (pending + chunk).split('\n');
      pending = lines.pop() ?? '';
      for (const line of lines) this.#hear(JSON.parse(line) as Answer);
    });
    const fail = (cause: unknown): void => {
      for (const { reject } of this.#waiting.values()) {
        reject(new Error(`The stand-in ended: ${stderr}`, { cause }));
      }
      this.#waiting.clear();
    };
    child.on('error', fail).on('close', fail);
    return child;
  }

  #hear({ id, result, error }: Answer): void {
    const asked = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) asked?.resolve(result as never);
    // Not what the client refused, but that it did not answer, or ended.
    else if (/: no answer$|^ended: /.test(error)) asked?.reject(new Error(error));
    else asked?.reject(new CodexError(error));
  }
}

/** The client refused. */
export class CodexError extends Error {
  override readonly name = 'CodexError';
}

/** One process of the client, on one home. */
export class AppServer {
  readonly cwd: string;
  readonly #client: Codex;
  readonly #name: string;

  constructor(client: Codex, name: string, cwd: string) {
    this.#client = client;
    this.#name = name;
    this.cwd = cwd;
  }

  call<T>(method: string, params: JsonObject): Promise<T> {
    return this.#client.ask<T>('call', this.#name, { method, params });
  }

  /** Every thread that is not archived, or is, however it came about. */
  async list(archived = false): Promise<readonly Thread[]> {
    const params = { limit: 100, sourceKinds: ALL_SOURCES, modelProviders: [], archived };
    return (await this.call<{ data: readonly Thread[] }>('thread/list', params)).data;
  }

  async resume(which: { readonly threadId: string; readonly path?: string }): Promise<Thread> {
    return (await this.call<{ thread: Thread }>('thread/resume', which)).thread;
  }

  /** Runs a turn to its end; `replies` are the items that the model answers its requests with. */
  async turn(
    threadId: string,
    text: string,
    replies: readonly (readonly Item[])[] = [],
  ): Promise<Turn> {
    await this.#client.ask('script', this.#name, { replies });
    const input = [{ type: 'text', text }];
    const { turn } = await this.call<{ turn: Turn }>('turn/start', { threadId, input });
    return this.#completed({ threadId, turnId: turn.id });
  }

  /** A turn whose prompt has an image. */
  async picture(threadId: string, text: string, url: string): Promise<Turn> {
    const input = [
      { type: 'text', text },
      { type: 'image', url },
    ];
    const { turn } = await this.call<{ turn: Turn }>('turn/start', { threadId, input });
    return this.#completed({ threadId, turnId: turn.id });
  }

  /** Has the model begin a sub-agent, and waits until that has answered; its id. */
  async spawn(threadId: string, replies: readonly (readonly Item[])[]): Promise<string> {
    const known = new Set((await this.list()).map(({ id }) => id));
    await this.turn(threadId, 'Begin a sub-agent', replies);
    for (;;) {
      // It is listed only once it has said something; the test's own time ends the wait.
      const made = (await this.list()).find(({ id }) => !known.has(id));
      const { turns } = made ? await this.resume({ threadId: made.id }) : { turns: [] };
      if (made && turns.at(-1)?.status === 'completed') return made.id;
      await setTimeout(20);
    }
  }

  /** Has the model sum up a thread. */
  async compact(threadId: string, summary: readonly Item[]): Promise<void> {
    await this.#client.ask('script', this.#name, { replies: [summary] });
    await Promise.all([
      this.#completed({ threadId }),
      this.call('thread/compact/start', { threadId }),
    ]);
  }

  async #completed(which: JsonObject): Promise<Turn> {
    return (await this.#client.ask<{ turn: Turn }>('wait', this.#name, which)).turn;
  }

  /** The bodies of its requests to the model since the last time. */
  async asked(): Promise<readonly { readonly input: readonly Item[] }[]> {
    const { asked } = await this.#client.ask<{
      asked: readonly { readonly input: readonly Item[] }[];
    }>('asked', this.#name);
    return asked;
  }

  /** What the model is sent of a thread that is open, before a new prompt. */
  async probe(threadId: string): Promise<readonly Item[]> {
    await this.asked();
    await this.turn(threadId, PROBE);
    const isProbe = (item: Item): boolean => JSON.stringify(item).includes(PROBE);
    // A sub-agent may ask, too.
    const input = (await this.asked()).find((body) => body.input.some(isProbe))?.input ?? [];
    return input.slice(0, input.findLastIndex(isProbe));
  }

  /** What it has written to its log so far. */
  async readLog(): Promise<string> {
    return (await this.#client.ask<{ text: string }>('log', this.#name)).text;
  }

  stop(): Promise<unknown> {
    return this.#client.ask('stop', this.#name);
  }
}

function findProgram(): string {
  const path = join(
    HERE,
    `node_modules/@openai/codex-${process.platform}-${process.arch}`,
    PROGRAM,
  );
  if (existsSync(path)) return path;
  throw new Error(
    'Codex is not installed: npm ci --ignore-scripts --prefix test/conformance/codex',
  );
}
