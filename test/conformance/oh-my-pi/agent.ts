import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { globSync } from 'fast-glob';
import { isObject, type JsonObject } from '../../../src/session/jsonl/edit/json.ts';

export interface Listed {
  readonly path: string;
  readonly id: string;
  readonly cwd: string;
  readonly title?: string;
  readonly created: string;
  readonly modified: string;
  readonly messageCount: number;
  readonly firstMessage: string;
  readonly parentSessionPath?: string;
}

export interface Opened {
  readonly header: JsonObject;
  readonly name: string | null;
  readonly leafId: string | null;
  /** The ids of the current path. */
  readonly branch: readonly string[];
  readonly entryCount: number;
  readonly usage: { readonly input: number; readonly output: number; readonly cost: number };
  readonly messages: readonly JsonObject[];
  readonly thinkingLevel: string;
}

interface Exchanges {
  /** Makes sessions of all kinds in the home; their paths by name. */
  make: { request: object; answer: Readonly<Record<string, string>> };
  list: { request: object; answer: readonly Listed[] };
  /** The directory of the sessions of a project. */
  directory: { request: { cwd: string }; answer: string };
  open: { request: { path: string }; answer: Opened };
  /** Says something there, and opens the session again. */
  say: { request: { path: string; text: string }; answer: Opened };
}

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** The real oh-my-pi in a home: a process that answers one request at a time. */
export class Agent {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  #stderr = '';

  constructor(home: string) {
    const [bun] = globSync('node_modules/@oven/bun-*/bin/bun{,.exe}', {
      cwd: HERE,
      absolute: true,
    });
    if (bun === undefined) {
      throw new Error('oh-my-pi is not installed: npm ci --prefix test/conformance/oh-my-pi');
    }
    const env = { HOME: home, TZ: 'UTC', BUN_RUNTIME_TRANSPILER_CACHE_PATH: '0' };
    this.#child = spawn(bun, [join(HERE, 'answer.mjs')], { cwd: home, env });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text));
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async ask<A extends keyof Exchanges>(
    ask: A,
    request: Exchanges[A]['request'],
  ): Promise<Exchanges[A]['answer']> {
    this.#child.stdin.write(`${JSON.stringify({ ask, ...request })}\n`);
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error(`no answer to ${ask}: ${this.#stderr}`);
    const answer: Exchanges[A]['answer'] | { error: string } = JSON.parse(value);
    if (isObject(answer) && 'error' in answer) throw new Error(answer['error']);
    return answer;
  }

  async close(): Promise<void> {
    this.#child.stdin.end();
    await once(this.#child, 'close');
  }
}

/** A context with the images in it that the agent keeps in files of their own. */
export function withBlobs(home: string, context: unknown): unknown {
  const text = JSON.stringify(context).replaceAll(
    /blob:sha256:([\da-f]{64})/g,
    (ref, hash: string) => {
      const blob = join(home, '.omp/agent/blobs', hash);
      return existsSync(blob) ? readFileSync(blob, 'base64') : ref;
    },
  );
  return JSON.parse(text);
}
