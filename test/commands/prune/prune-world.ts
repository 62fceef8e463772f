import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { PruneResult } from '../../../src/report/prune/columns.ts';
import { NOW, runTest, type TestRun, type TestWorld } from '../../memory-terminal.ts';
import { sampleSession, type SampleOptions } from '../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const DAY = 24 * 60 * 60 * 1000;

/** A store in a temporary directory, and prune run on it. */
export class PruneWorld {
  readonly dir: string;
  readonly store: string;

  private constructor(dir: string) {
    this.dir = dir;
    this.store = join(dir, 'store');
  }

  static async make(): Promise<PruneWorld> {
    return new PruneWorld(await makeTempDir());
  }

  /** A session in `proj`, last active so many days ago; its file was written then, too. */
  async add(id: string, daysAgo: number, options: SampleOptions = {}): Promise<string> {
    const time = NOW - daysAgo * DAY;
    const start = new Date(time - 2000).toISOString();
    await writeFiles(this.store, {
      [`proj/${id}.jsonl`]: sampleSession({ id, start, text: id, ...options }),
    });
    await this.touch(`proj/${id}.jsonl`, daysAgo);
    return this.path(id);
  }

  async touch(name: string, daysAgo: number): Promise<void> {
    const seconds = (NOW - daysAgo * DAY) / 1000;
    await utimes(join(this.store, name), seconds, seconds);
  }

  path(id: string): string {
    return join(this.store, 'proj', `${id}.jsonl`);
  }

  async names(below = this.store): Promise<string[]> {
    return (await readdir(below, { recursive: true })).toSorted();
  }

  run(args: readonly string[], world: TestWorld = {}): Promise<TestRun> {
    return runTest(['prune', ...args], { cwd: this.dir, home: '/home/dev', ...world });
  }

  /** Prune on the store; the results by id, as `action: reasons`. */
  async prune(...args: string[]): Promise<Record<string, string>> {
    const { out, err } = await this.run(['--store', 'store', '--json', ...args]);
    if (out === '') throw new Error(err);
    const { results } = JSON.parse(out) as { results: readonly PruneResult[] };
    const entries = results
      .filter(({ action }) => action)
      .map(({ id, path, action, reasons }) => [id || path, `${action}: ${reasons.join(', ')}`]);
    return Object.fromEntries(entries) as Record<string, string>;
  }
}
