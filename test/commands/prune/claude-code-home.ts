import { cp, readdir, rename, lutimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTempDir } from '../../temp-dir.ts';
import { runTest, type TestRun } from '../../memory-terminal.ts';

const FIXTURE = join(import.meta.dirname, '../../fixtures/claude-code/home/.claude');
/** No system has so many processes. */
export const DEAD = 2_000_000_000;
export const TOOLS = 'aaaaaaaa-0000-4000-8000-000000000001';
export const TASKS = 'aaaaaaaa-0000-4000-8000-000000000004';
export const BRANCH = '9ea00f87-f67b-45df-9923-ae7bf95e99d0';

export interface PruneAnswer {
  readonly id: string;
  readonly action: string;
  readonly reasons: readonly string[];
  readonly totalSize: number;
}

/** A home with sessions of Claude Code, of which each file was last written long ago. */
export class ClaudeCodeHome {
  readonly home: string;
  readonly config: string;

  private constructor(home: string) {
    this.home = home;
    this.config = join(home, '.claude');
  }

  static async make(): Promise<ClaudeCodeHome> {
    const made = new ClaudeCodeHome(await makeTempDir());
    await cp(FIXTURE, made.config, { recursive: true });
    const notes = join(made.config, 'sessions');
    await rename(join(notes, '4242.json'), join(notes, `${DEAD}.json`));
    await made.age();
    return made;
  }

  run(...args: string[]): Promise<TestRun> {
    return runTest(args, { cwd: this.home, home: this.home });
  }

  /** Writes what a client notes of the session that it has open. */
  async note(pid: number, content: object | string): Promise<void> {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    await writeFile(join(this.config, 'sessions', `${pid}.json`), text);
  }

  async age(): Promise<void> {
    for (const name of (await readdir(this.config, { recursive: true })).toReversed()) {
      await lutimes(join(this.config, name), 1_790_000_000.123_456, 1_790_000_000.123_456);
    }
  }

  async listBelow(id: string): Promise<readonly string[]> {
    return (await readdir(this.config, { recursive: true })).filter((name) => name.includes(id));
  }
}
