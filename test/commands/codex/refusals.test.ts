import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { writeFiles } from '../../temp-dir.ts';
import { getRecorded, placeRecorded } from '../../session/agents/codex/corpus.ts';

const CHANGES: readonly (readonly string[])[] = [
  ['migrate', '--apply'],
  ['migrate', '--apply', '--to', 'pi'],
  ['compact', '--apply', '--images', 'drop', '--tool-output', '100', '--summarized'],
  ['fork', '--in-place', '--name', 'New', '--apply'],
  ['fork'],
];

describe.each(['broken-paginated-torn-last', 'era-0.20', 'legacy-linear'])('%s', (name) => {
  it.each(CHANGES.map((argv) => [argv.join(' '), argv]))(
    'is not changed by %s',
    async (_, argv) => {
      const path = await placeRecorded(getRecorded(name));
      const before = await readFile(path);
      const [command = '', ...options] = argv;
      const cwd = dirname(path);
      const { exitCode } = await runTest([command, path, ...options], { cwd, home: cwd });
      expect(exitCode).not.toBe(70);
      expect((await readFile(path)).equals(before)).toBe(true);
    },
  );
});

describe('a store of several agents', () => {
  it.each([
    ['compact --abandoned-branches', ['compact', '--apply', '--abandoned-branches']],
    ['fork --in-place', ['fork', '--last', '9', '--in-place', '--name', 'New', '--apply']],
  ])('is no failure of %s, which skips what was merely selected', async (_, argv) => {
    const path = await placeRecorded(getRecorded('legacy-linear'));
    const store = dirname(path);
    const [command = '', ...options] = argv;
    const run = () =>
      runTest([command, ...options, '--grace', '0s', '--store', store], {
        cwd: store,
        home: store,
      });
    expect((await run()).exitCode).toBe(2);
    await writeFiles(store, { 'ash.jsonl': sampleSession({ id: 'ash' }) });
    const { exitCode, out, err } = await run();
    expect(exitCode).toBe(0);
    expect(out + err).toMatch(/sessions of codex|Codex shows/);
  });
});
