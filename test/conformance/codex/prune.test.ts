import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pick } from '../../harness/pick.ts';
import { runTest } from '../../memory-terminal.ts';
import { type AppServer, Codex, CodexError, type Thread } from './client.ts';
import { compressSome, driveStore } from './drive.ts';

/** Rows are written by the SQLite of Node. */
const WRITES = process.getBuiltinModule('node:sqlite') !== undefined;

let client: Codex;

beforeAll(() => {
  client = new Codex();
});
afterAll(() => client.close());

const STEPS = 14;
const COUNT = process.env['COPPICE_LONG'] === '1' ? 60 : 4;
const STORES = Array.from({ length: COUNT }, (_, at) => `pruned store ${at}`);

/** A home at its own path, as it was at some moments: databases name absolute paths. */
class Home {
  readonly path: string;
  readonly #kept: string;
  readonly #isDiagnosed: boolean;

  constructor(name: string) {
    this.path = client.makeHome();
    this.#isDiagnosed = name === STORES[0];
    this.#kept = join(client.makeHome(), name.replaceAll(' ', '-'));
  }

  keep(): void {
    rmSync(this.#kept, { recursive: true, force: true });
    cpSync(this.path, this.#kept, { recursive: true, preserveTimestamps: true });
  }

  putBack(): void {
    rmSync(this.path, { recursive: true, force: true });
    cpSync(this.#kept, this.path, { recursive: true, preserveTimestamps: true });
  }

  /** What the client shows and sends of every thread that it opens by itself; the home is as it was then. */
  async ask(): Promise<ReadonlyMap<string, unknown>> {
    this.keep();
    const server = await client.start(this.path);
    const found = new Map<string, unknown>();
    const threads = await server.list();
    for (const { id, name, preview } of new Map(threads.map((one) => [one.id, one])).values()) {
      found.set(id, { name, preview, opened: await openAlone(server, id) });
    }
    await server.stop();
    this.putBack();
    return found;
  }

  /** What the client itself finds wrong between its files and its database. */
  async diagnose(): Promise<readonly (readonly [string, number])[]> {
    // It takes seconds.
    if (!this.#isDiagnosed) return [];
    return [...(await client.diagnose(this.path))];
  }

  /** Removes, or puts back; what became of sessions. */
  async prune(...args: readonly string[]): Promise<readonly Result[]> {
    const argv = ['prune', ...args, '--json'];
    const { out, err } = await runTest(argv, {
      home: dirname(this.path),
      cwd: this.path,
      env: { CODEX_HOME: this.path },
    });
    if (err !== '') throw new Error(err);
    return (JSON.parse(out) as { readonly results: readonly Result[] }).results;
  }
}

interface Result {
  readonly id: string;
  readonly path: string;
  readonly action: string;
  readonly reasons: readonly string[];
}

async function openAlone(server: AppServer, threadId: string): Promise<unknown> {
  try {
    const { turns, path } = await server.resume({ threadId });
    const input = await server.probe(threadId);
    // What the client makes anew for each request has new ids.
    const sent = input.map(({ id: _id, ...item }) => item);
    return { turns: turns.map(({ id, status, items }) => ({ id, status, items })), path, sent };
  } catch (error) {
    if (error instanceof CodexError) return error.message;
    throw error;
  }
}

const PLAN = ['--larger-than', '1B', '--grace', '0min', '--allow-empty'] as const;
const ALL = [...PLAN, '--apply'] as const;

describe.skipIf(!WRITES).concurrent('of random threads', () => {
  it.each(STORES)('what is kept is as it was, and what is put back, too: %s', async (name) => {
    const home = new Home(name);
    const driver = await client.start(home.path);
    const { steps } = await driveStore(driver, name, STEPS);
    await driver.stop();
    compressSome(home.path, name);
    const archive = join(dirname(home.path), `archive-${name.replaceAll(' ', '-')}`);
    for (const id of (await home.ask()).keys()) {
      for (const part of ['shell_snapshots', 'generated_images']) {
        mkdirSync(join(home.path, part, id), { recursive: true });
      }
      writeFileSync(join(home.path, 'generated_images', id, 'a.png'), 'image');
    }
    const before = await home.ask();
    const faults = new Map(await home.diagnose());
    // A sub-agent is a part of another thread, and goes with that.
    const whole = new Set((await home.prune(...PLAN)).map(({ id }) => id));
    const ids = [...before.keys()].filter((id) => whole.has(id));
    const chosen = ids[pick(ids.length, `${name} chosen`)] ?? '';

    const one = await home.prune(chosen, ...ALL, '--archive', archive);
    const after = await home.ask();
    const gone = new Set(one.flatMap(({ id, action }) => (action === 'remove' ? [id] : [])));
    for (const [id, told] of before) {
      if (!after.has(id)) continue;
      expect({ steps, id, told: after.get(id) }).toEqual({ steps, id, told });
      expect(gone).not.toContain(id);
    }
    const grown = (await home.diagnose()).filter(
      ([what, count]) => count > (faults.get(what) ?? 0),
    );
    expect({ steps, grown }).toEqual({ steps, grown: [] });
    for (const id of gone) {
      expect(after.has(id)).toBe(false);
      expect(existsSync(join(home.path, 'generated_images', id))).toBe(false);
    }

    await home.prune(...ALL, '--archive', archive);
    expect({ steps, left: [...(await home.ask()).keys()] }).toEqual({ steps, left: [] });
    await home.prune('--archive', archive, '--restore', 'all');
    expect({ steps, told: await home.ask() }).toEqual({ steps, told: before });
    expect(new Map(await home.diagnose())).toEqual(faults);
  });
});

describe.skipIf(!WRITES)('a thread that must be kept', () => {
  it('is so while the client has it open, is pinned, has a goal, or a fork goes on from it', async () => {
    const home = new Home('kept');
    const server = await client.start(home.path);
    const start = async (): Promise<string> => {
      const params = { cwd: server.cwd, historyMode: 'paginated' };
      const { thread } = await server.call<{ thread: Thread }>('thread/start', params);
      await server.turn(thread.id, 'A prompt');
      return thread.id;
    };
    const [open, goal, parent] = [await start(), await start(), await start()];
    await server.call('thread/goal/set', { threadId: goal, objective: 'Do it', status: 'paused' });
    const { thread: fork } = await server.call<{ thread: Thread }>('thread/fork', {
      threadId: parent,
    });
    await server.turn(fork.id, 'The fork goes on');
    const told = async (...args: readonly string[]) => {
      const results = await home.prune(...PLAN, ...args);
      return new Map(
        results.map(({ id, action, reasons }) => [id, [action, ...reasons].join(': ')]),
      );
    };
    expect((await told()).get(open)).toBe('keep: is open in its agent');
    await server.stop();
    const all = await told();
    expect(all.get(goal)).toBe('keep: has an open goal (--include-pinned)');
    expect(all.get(open)).toContain('remove');
    expect((await told('--include-pinned')).get(goal)).toContain('remove');
    const kept = await told('--include-parents', '--keep-id', fork.id);
    expect(kept.get(parent)).toBe('keep: a kept fork continues from it');
  });
});
