import { cpSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir } from '../../temp-dir.ts';
import { IDS, writeSessions } from './some-sessions.ts';

const CLAUDE = fileURLToPath(
  new URL('../../fixtures/claude-code/made-branch.jsonl', import.meta.url),
);
const APPLIED = [
  'migrate --store old --apply',
  'migrate --store s --cwd /home/dev=/home/new --apply',
  'migrate --store other --to pi --out made --apply',
  'compact --store s --force --keep-recent-tokens 1 --apply',
  'compact --store s --images drop --apply',
  'fork --store s --older-than 1d --whole --out made',
  'fork --store s --older-than 1d --in-place --name x --apply',
  'validate --store s --fix',
  'list --store s',
  'list --store s --usage --no-cache',
  'export --store s --as md --out made',
];

let home: string;

beforeEach(async () => {
  home = await makeTempDir();
  await writeSessions(home);
  for (const id of IDS) await cp(CLAUDE, join(home, 'other', 'p', `${id}.jsonl`));
});

/** Runs a command; the step of its progress with this number finds that another run has removed a session. */
async function run(args: readonly string[], step: number) {
  let steps = 0;
  const onFound = (): void => {
    steps += 1;
    if (steps !== step) return;
    for (const file of ['s/c.jsonl', 'old/c.jsonl', 'other/p/c.jsonl']) rmSync(join(home, file));
  };
  const { exitCode, out, err } = await runTest([...args, '--jobs', '1'], {
    cwd: home,
    home,
    onFound,
  });
  return { exitCode, text: out + err, steps };
}

describe('a session that another run has removed since it was found', () => {
  it.each(APPLIED)('%s: is passed over', async (line) => {
    const kept = `${home}-kept`;
    cpSync(home, kept, { recursive: true });
    const failed: unknown[] = [];
    for (let step = 1, last = 1; step <= last; step += 1) {
      const { exitCode, text, steps } = await run(line.split(' '), step);
      last = steps;
      if (exitCode !== 0) failed.push({ step, exitCode, text });
      rmSync(home, { recursive: true });
      cpSync(kept, home, { recursive: true });
    }
    rmSync(kept, { recursive: true });
    expect(failed).toEqual([]);
  });

  it.each(['list', 'compact --force --apply', 'validate', 'migrate'])(
    '%s: is a problem where it was named',
    async (line) => {
      const { exitCode, text } = await run([...line.split(' '), 's/a.jsonl', 's/c.jsonl'], 1);
      expect([exitCode, text]).toEqual([3, expect.stringContaining('c.jsonl')]);
    },
  );
});
