import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { otherFiles } from '../../../src/session/jsonl/read/other-files.ts';
import { runTest } from '../../memory-terminal.ts';
import { makeFamily } from '../../session/agents/codex/made-family.ts';
import { makeTempDir } from '../../temp-dir.ts';

afterEach(() => vi.restoreAllMocks());

/** Commands that ask for each session which others go on from it. */
const COMMANDS = [
  [0, ['compact', '--superseded-state']],
  [2, ['compact', '--superseded-state', '--apply']],
  [0, ['migrate', '--cwd', '/work=/moved']],
  [4, ['validate', '--fix']],
] as const;

describe('of a home of Codex', () => {
  it.each(COMMANDS)(
    'the first line of each file is read once, %i again: %s',
    async (again, argv) => {
      const home = await makeTempDir();
      const family = makeFamily(home);
      for (const path of family.values()) {
        if (argv[0] === 'validate') writeFileSync(path, `${readFileSync(path, 'utf8')}{"torn`);
      }
      const read = vi.spyOn(otherFiles, 'readFirstObject');
      const options = { cwd: home, home, env: { CODEX_HOME: home } };
      await runTest([...argv, '--grace', '0s', '--json'], options);
      const paths = read.mock.calls.map(([path]) => path);
      expect(new Set(paths)).toEqual(new Set(family.values()));
      // What the run itself rewrites is read again: here each of two forks for its place, or each file.
      expect(paths.length).toBeLessThanOrEqual(family.size + again);
    },
  );
});
