import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readContext } from '../../../src/session/read/read-context.ts';
import { runTest } from '../../memory-terminal.ts';
import { askAll } from './ask-all.ts';
import { Codex } from './client.ts';
import { driveStore } from './drive.ts';

const client = new Codex();
afterAll(() => client.close());

interface Result {
  readonly path: string;
  readonly action: string;
  readonly compaction: { readonly summary: string } | null;
}

it.each(['one', 'two', 'three', 'four'])(
  'a thread that was compacted is sent so, and its forks as before: %s',
  async (name) => {
    const home = client.makeHome();
    const server = await client.start(home);
    const { threads: driven } = await driveStore(server, `compact ${name}`, 16);
    await server.stop();
    const before = await askAll(client, home);
    // Every second: the others are forks of them, and parents.
    const ids = new Set(driven.map(({ id }) => id).filter((_, at) => at % 2 === 0));
    const paths = before.listed.filter(({ id }) => ids.has(id)).map(({ path }) => path);
    const options = { cwd: home, home, now: () => Date.now() };
    const stores = ['--store', join(home, 'sessions'), '--grace', '0s', '--json'];
    const argv = ['compact', ...new Set(paths), '--force', '--apply', ...stores];
    const { out, err } = await runTest(argv, options);
    expect(err).toBe('');
    const { results } = JSON.parse(out) as { readonly results: readonly Result[] };
    const done = new Map(
      results.filter(({ action }) => action === 'compact').map((one) => [one.path, one]),
    );
    expect(done.size).toBeGreaterThan(0);
    const after = await askAll(client, home);
    expect(after.listed.map(({ id }) => id).toSorted()).toEqual(
      before.listed.map(({ id }) => id).toSorted(),
    );
    const changed = new Set<string>();
    for (const { id, path } of after.listed) {
      const [was, is] = [before.threads.get(id), after.threads.get(id)];
      const result = done.get(path);
      if (!result || typeof is !== 'object' || typeof was !== 'object') continue;
      changed.add(id);
      const shown = is.turns.slice(0, was.turns.length);
      expect(shown).toEqual(was.turns);
      const isLegacy = !readFileSync(path, 'utf8').includes('"ordinal"');
      expect(JSON.stringify(is.turns.slice(was.turns.length)).includes('contextCompaction')).toBe(
        isLegacy,
      );
      expect(is.sent).toEqual((await readContext(path)).messages);
      expect(JSON.stringify(is.sent)).toContain(
        JSON.stringify(result.compaction?.summary).slice(1, 40),
      );
    }
    expect(changed.size).toBeGreaterThan(0);
    for (const [id, was] of before.threads) {
      const is = changed.has(id) ? was : after.threads.get(id);
      expect({ id, is }).toEqual({ id, is: was });
    }
  },
);
