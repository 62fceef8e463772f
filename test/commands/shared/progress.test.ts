import { beforeEach, describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

let home: string;

beforeEach(async () => {
  home = await makeTempDir();
  await writeFiles(home, { 's/a.jsonl': sampleSession(), 's/b.jsonl': sampleSession({ id: 'b' }) });
});

/** Runs a command and ends it where its nth progress bar starts; the bars that were left then. */
async function runUntil(stopAt: number, args: readonly string[]) {
  const bars: string[] = [];
  let started = 0;
  const abort = new AbortController();
  const startProgress = (label: string) => {
    bars.push(label);
    started += 1;
    if (started === stopAt) abort.abort();
    return {
      advance: () => undefined,
      stop: () => void bars.splice(bars.indexOf(label), 1),
    };
  };
  const world = { cwd: home, home, signal: abort.signal, startProgress };
  const { exitCode } = await runTest([...args, '--store', 's'], world);
  return { bars, started, exitCode };
}

describe('a run that ends early', () => {
  it.each([
    [['list']],
    [['list', '--usage']],
    [['validate']],
    [['validate', '--fix']],
    [['migrate']],
    [['migrate', '--cwd', '/home/dev=/home/new']],
    [['migrate', '--to', 'pi', '--agent', 'pi']],
    [['fork', '--last', '9']],
    [['compact', '--force']],
    [['compact', '--images', 'drop']],
    [['prune', '--older-than', '1d', '--apply', '--delete', '--allow-empty']],
    [['export', '--out', 'o']],
    [['export', '--out', 'p', '--as', 'parquet']],
  ])('leaves no progress bar, which would keep the process alive: %j', async (args) => {
    const first = await runUntil(1, args);
    expect(first).toMatchObject({ bars: [], started: 1 });
    expect((await runUntil(2, args)).bars).toEqual([]);
  });
});
