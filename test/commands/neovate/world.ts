import { cp, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestRun, runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { FIXTURES } from '../../session/agents/neovate/recorded.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

export const PROJECT = '.neovate/projects/home-u-demo-project';
export const REQUESTS = `${PROJECT}/requests/452a59aa-cea3-4d29-a2e0-5d557229fb37.jsonl`;
/** Latest first, an hour apart, as the real listing answered with these times. */
export const LATEST = ['cec9cd23', 'd764940e', 'f05de3d5', '80c4e9fa'] as const;

export interface NeovateHome {
  readonly home: string;
  readonly run: (...argv: readonly string[]) => Promise<TestRun>;
  /** The results of a command in JSON. */
  results(...argv: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** A copy of the recorded home directory, with a session of pi in it where that is asked for. */
export async function makeHome({ withPi = false } = {}): Promise<NeovateHome> {
  const home = await makeTempDir();
  await cp(join(FIXTURES, 'home'), home, { recursive: true });
  for (const [age, id] of LATEST.entries()) {
    const time = new Date(Date.parse('2026-12-01T00:00:00Z') - age * 3_600_000);
    await utimes(join(home, PROJECT, `${id}.jsonl`), time, time);
  }
  if (withPi) {
    await writeFiles(home, { '.pi/agent/sessions/--x--/a.jsonl': sampleSession({ id: 'pi-one' }) });
    await utimes(join(home, '.pi/agent/sessions/--x--/a.jsonl'), 1.7e9, 1.7e9);
  }
  const run = (...argv: readonly string[]): Promise<TestRun> => runTest(argv, { cwd: home, home });
  return {
    home,
    run,
    async results(...argv) {
      const { out, err } = await run(...argv, '--json');
      if (out === '') throw new Error(err);
      return (JSON.parse(out) as { results: readonly Record<string, unknown>[] }).results;
    },
  };
}
