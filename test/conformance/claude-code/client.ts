import { createHash } from 'node:crypto';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'fast-glob';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';
import { type ContextMessage, findQuestion, type Sent, toContext, toSent } from './sent.ts';

/** The releases that can be asked. Where they differ, coppice does what the newest does. */
export const RELEASES = ['2.0.56', '2.1.42', '2.1.133', '2.1.332'] as const;
export type Release = (typeof RELEASES)[number];
export const NEWEST = '2.1.332';

/** The prompt that a session is resumed with. */
const MARKER = 'ORACLE-MARKER';
const TRIES = 3;
const SESSION_ID = '0c0991ce-0000-4000-8000-000000000001';

export interface RunOptions {
  /** The home, which holds `.claude`. The client changes it. */
  readonly home: string;
  readonly cwd: string;
  readonly args: readonly string[];
  /** Beside what every run has. */
  readonly env?: Readonly<Record<string, string>>;
  /** What the model answers. */
  readonly reply?: string;
  readonly release?: Release;
  /** Called each time that the model is asked, which answers once this is done. */
  readonly onAsked?: () => Promise<void>;
}

export interface Ran {
  /** Null when the client went in circles and was stopped. */
  readonly exit: number | null;
  /** Whether it was stopped as it did nothing any more, which it does at times on a busy machine. */
  readonly hung: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** The bodies of its requests to the model, in order. */
  readonly asked: readonly JsonObject[];
}

export interface ResumeOptions {
  /** More arguments, such as `--fork-session`. */
  readonly args?: readonly string[];
  readonly prompt?: string;
  readonly reply?: string;
  readonly release?: Release;
  /** A folder that is copied to where the session's sidecars are. */
  readonly sidecars?: string;
}

export interface Resumed extends Ran {
  /** What the model was sent with the prompt; undefined where the session was not opened. */
  readonly sent: readonly Sent[] | undefined;
  /** The same in the shape of `export --as context`, without the prompt. */
  readonly context: readonly ContextMessage[] | undefined;
  /** The session file afterwards. */
  readonly text: string;
  /** The lines that the client has appended. */
  readonly appended: readonly JsonObject[];
  /** Whether the file still begins with all that it held. */
  readonly keepsBytes: boolean;
  /** The entry that the client went on from: the parent of the first line that it appended to the tree. */
  readonly leafUuid: string | null | undefined;
}

const HERE = fileURLToPath(new URL('.', import.meta.url));
const MODULES = join(HERE, 'node_modules');

/** By bytes and options: a run takes a second, and all test files are of one process. */
const RESUMED = new Map<string, Promise<Resumed>>();

/**
 * The time at which the client is asked what it sends, by libfaketime of Debian's `faketime`. From 2026-11-30 on, 2.1.332
 * continues a session of claude-sonnet-4-5 with another model, which is sent queued prompts in another way.
 */
const CLOCK = { LD_PRELOAD: findFakeTime(), FAKETIME: '@2026-11-29 12:00:00' };

function findFakeTime(): string {
  const [library] = globSync('/usr/lib/*/faketime/libfaketime.so.1');
  if (library === undefined) throw new Error('libfaketime is missing: apt-get install faketime');
  return library;
}

/**
 * The real Claude Code. It runs only on copies, with a stand-in for the model, in a network
 * namespace of its own with loopback alone, an environment of its own and a made-up key.
 *
 *     const client = new ClaudeCode();
 *     const { context, leafUuid } = await client.resume(path);  // a copy of a session file
 *     await client.run({ home, cwd, args: ['-p', 'Go on.', '--continue'] });  // in a scratch home
 *     await client.close();
 *
 * Runs that are asked for together go side by side, as many as there are cores.
 */
export class ClaudeCode {
  readonly #release: Release;
  readonly #tmp = mkdtempSync(join(realpathSync(tmpdir()), 'claude-code-'));
  readonly #waiting = new Map<
    number,
    {
      readonly resolve: (ran: Ran) => void;
      readonly reject: (error: unknown) => void;
      readonly onAsked: RunOptions['onAsked'];
    }
  >();
  #child: ChildProcessWithoutNullStreams | undefined;
  #count = 0;

  constructor(release: Release = NEWEST) {
    this.#release = release;
  }

  /**
   * Resumes a copy of a session with a prompt, without a terminal. Files of the same bytes are asked of
   * once, whichever test asks.
   */
  resume(path: string, options: ResumeOptions = {}): Promise<Resumed> {
    const bytes = createHash('sha256').update(readFileSync(path)).digest('hex');
    const key = JSON.stringify([bytes, { release: this.#release, ...options }]);
    const resumed = RESUMED.get(key) ?? this.#resume(path, options);
    RESUMED.set(key, resumed);
    return resumed;
  }

  async #resume(path: string, options: ResumeOptions, tries = TRIES): Promise<Resumed> {
    const home = mkdtempSync(join(this.#tmp, 'home-'));
    const cwd = join(home, 'work');
    mkdirSync(cwd);
    const project = join(home, '.claude/projects', toFolderName(cwd));
    mkdirSync(project, { recursive: true });
    const copy = join(project, `${SESSION_ID}.jsonl`);
    cpSync(path, copy);
    if (options.sidecars !== undefined) {
      cpSync(options.sidecars, join(project, SESSION_ID), { recursive: true });
    }
    const { prompt = MARKER, args = [], ...rest } = options;
    const words = ['-p', prompt, '--resume', SESSION_ID, '--output-format', 'json', ...args];
    const ran = await this.run({ ...rest, env: CLOCK, home, cwd, args: words });
    if (ran.hung && tries > 1) return this.#resume(path, options, tries - 1);
    if (ran.hung) throw new Error(`the client hung ${TRIES} times with ${path}`);
    const before = readFileSync(path);
    const after = readFileSync(copy);
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    const question = findQuestion(ran.asked, prompt);
    const sent = question && toSent(question);
    const appended = toLines(after.subarray(before.length).toString('utf8'));
    const first = appended.find(({ uuid }) => uuid !== undefined);
    return {
      ...ran,
      sent,
      context: sent && toContext(sent, prompt),
      text: after.toString('utf8'),
      appended,
      keepsBytes: after.subarray(0, before.length).equals(before),
      leafUuid: first?.['parentUuid'] as string | null | undefined,
    };
  }

  /** Runs the client in a scratch home, which it changes. */
  run(options: RunOptions): Promise<Ran> {
    const { home, cwd, args, env = {}, reply = 'The stand-in answers.', onAsked } = options;
    const child = (this.#child ??= this.#start());
    const id = (this.#count += 1);
    const program = findProgram(options.release ?? this.#release);
    mkdirSync(join(home, 'tmp'), { recursive: true });
    const request = {
      id,
      program,
      args,
      home,
      cwd,
      reply,
      holds: onAsked !== undefined,
      env: { TMPDIR: join(home, 'tmp'), ...env },
    };
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onAsked });
      child.stdin.write(`${JSON.stringify(request)}\n`);
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
      for (const line of lines) {
        const { id, held, ...ran } = JSON.parse(line) as Ran & { id: number; held?: true };
        const run = this.#waiting.get(id);
        if (held) {
          const answer = () => child.stdin.write(`${JSON.stringify({ answer: id })}\n`);
          run?.onAsked?.().finally(answer).catch(run.reject);
        } else {
          run?.resolve(ran);
          this.#waiting.delete(id);
        }
      }
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
}

/** The folder in which the client keeps the sessions of a working directory. */
export function toFolderName(cwd: string): string {
  return cwd.replaceAll(/[^A-Za-z0-9]/g, '-');
}

export function findProgram(release: Release): readonly string[] {
  const script = join(MODULES, `claude-code-${release}/cli.js`);
  if (existsSync(script)) return [process.execPath, script];
  const name = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;
  const places = [join(MODULES, `claude-code-${release}/node_modules`), MODULES].map((dir) =>
    join(dir, name),
  );
  for (const place of places) {
    if (!existsSync(place)) continue;
    const { version } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as {
      version: string;
    };
    if (version === release) return [join(place, 'claude')];
  }
  throw new Error(
    `Claude Code ${release} is not installed: npm ci --ignore-scripts --prefix test/conformance/claude-code`,
  );
}

function toLines(text: string): readonly JsonObject[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as JsonObject);
}
