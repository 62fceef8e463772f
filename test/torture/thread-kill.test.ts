import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTempDir } from '../temp-dir.ts';
import { coppice } from './coppice.ts';
import { IS_LONG } from './faults/sandbox-root.ts';
import { chooseMoments, stopAt } from './moments.ts';
import { makeSession } from './old-store.ts';

const LAST_YEAR = new Date('2025-06-01T00:00:00.000Z');
const MOMENTS = IS_LONG ? 150 : 4;
/** On a busy machine, one thread may have done nearly all when the moments were chosen, and little in other runs. */
const MORE = 3;
/** What is worth threads; sessions that are more, together, and of unequal size. */
const WORTH_THREADS = 24 * 1024 * 1024;
const ENTRIES = [9000, 6000, 5000, 4000, 3000, 2000, 1500, 800, 300, 50];

/** Sessions of v1; written anew by `reset`, as fast as a disk can. */
async function makeStore() {
  const dir = await makeTempDir();
  const [store, source] = [join(dir, 'store'), join(dir, 'source')];
  mkdirSync(source);
  for (const [index, entries] of ENTRIES.entries()) {
    const path = join(source, `${index}.jsonl`);
    writeFileSync(path, makeSession(entries), { mode: 0o600 });
    utimesSync(path, LAST_YEAR, LAST_YEAR);
  }
  const reset = (): void => {
    rmSync(store, { recursive: true, force: true });
    execFileSync('cp', ['-a', source, store]);
  };
  reset();
  const names = readdirSync(store);
  const bytes = names.reduce((sum, name) => sum + statSync(join(store, name)).size, 0);
  expect(bytes).toBeGreaterThan(WORTH_THREADS);
  return { store, reset };
}

/** What a run says of each file, if it says anything: whether it is new. */
function readAccount(out: string): ReadonlyMap<string, 'old' | 'new'> | undefined {
  if (out === '') return undefined;
  const { results } = JSON.parse(out) as { results: { path: string; action: string }[] };
  return new Map(
    results.map(({ path, action }) => [basename(path), action === 'migrate' ? 'new' : 'old']),
  );
}

/** The state of each file: digests are compared, as a difference of megabytes is nothing to print. */
function digest(store: string): ReadonlyMap<string, string> {
  return new Map(
    readdirSync(store)
      .toSorted()
      .map((name) => {
        const hash = createHash('sha256').update(readFileSync(join(store, name)));
        return [name, hash.digest('hex')];
      }),
  );
}

it.each(['SIGKILL', 'SIGINT'] as const)(
  'a migration on threads leaves whole files at a %s, and no litter after the next run',
  async (signal) => {
    const { store, reset } = await makeStore();
    const args = ['migrate', '--apply', '--store', store, '--jobs', '3', '--quiet', '--json'];
    const old = digest(store);
    const run = { args, root: store };
    const chosen = await chooseMoments(run, MOMENTS * MORE);
    const done = digest(store);
    const seen = { old: 0, new: 0, temporary: 0 };
    // First those that are spread over the whole run, then those between.
    const moments = Array.from({ length: MORE }, (_, from) =>
      chosen.filter((__, index) => index % MORE === from),
    ).flat();
    for (const [index, moment] of moments.entries()) {
      const isSeen = seen.old > 0 && seen.new > 0;
      if (index >= MOMENTS && isSeen && (signal === 'SIGINT' || seen.temporary > 0)) break;
      reset();
      const { exitCode, out, err } = await stopAt(run, moment, signal);
      const found = digest(store);
      const account = readAccount(out);
      for (const name of old.keys()) {
        const state = found.get(name) === old.get(name) ? 'old' : 'new';
        seen[state] += 1;
        expect(found.get(name)).toBe((state === 'old' ? old : done).get(name));
        expect(account?.get(name) ?? state).toBe(state);
      }
      seen.temporary += found.size - old.size;
      // Killed, it says nothing; stopped, what it did, or before that, that it was stopped. Or it was quicker.
      expect(exitCode).toBeOneOf(signal === 'SIGKILL' ? [null, 0] : [null, 130, 0]);
      const isEarly = exitCode === 130 && !account;
      expect(err).toBe(isEarly ? 'coppice: stopped; every file is whole\n' : '');
      expect((await coppice(args)).exitCode).toBe(0);
      expect(digest(store)).toEqual(done);
    }
    // Otherwise nothing was interrupted, and the test shows nothing.
    expect(Math.min(seen.old, seen.new)).toBeGreaterThan(0);
    expect(seen.temporary > 0).toBe(signal === 'SIGKILL');
  },
);
