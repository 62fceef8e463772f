import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { makeTempDir } from '../temp-dir.ts';
import { BIN, coppice, start } from './coppice.ts';
import { listFiles, makeStore, readAll } from './old-store.ts';

const MOMENTS = 200;

describe('coppice migrate, killed', () => {
  it('leaves every file whole, and no temporary file after the next run', async () => {
    const dir = await makeTempDir();
    const { files, reset } = makeStore(dir, 60, 60);
    const args = ['migrate', '--apply', '--store', dir, '--jobs', '4', '--quiet', '--json'];
    const began = performance.now();
    expect((await coppice(args)).exitCode).toBe(0);
    const duration = performance.now() - began;
    const migrated = readAll(files.keys());

    const seen = { old: 0, new: 0, temporary: 0 };
    for (let moment = 0; moment < MOMENTS; moment += 1) {
      reset();
      const { child, done } = start(process.execPath, [BIN, ...args]);
      // Spread over the whole run; the start of the program is of no interest.
      await setTimeout(duration * (0.25 + (0.75 * moment) / MOMENTS));
      child.kill('SIGKILL');
      await done;
      for (const [path, text] of readAll(files.keys())) {
        const state = text === files.get(path) ? 'old' : 'new';
        seen[state] += 1;
        expect(text).toBe((state === 'old' ? files : migrated).get(path));
      }
      seen.temporary += listFiles(dir).length - files.size;
      if (moment % 10 !== 9) continue;
      expect((await coppice(args)).exitCode).toBe(0);
      expect(listFiles(dir).toSorted()).toEqual([...files.keys()].toSorted());
      expect(readAll(files.keys())).toEqual(migrated);
    }
    // Otherwise nothing was interrupted, and the test shows nothing.
    expect(Math.min(seen.old, seen.new, seen.temporary)).toBeGreaterThan(0);
  });
});
