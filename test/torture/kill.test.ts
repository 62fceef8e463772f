import { describe, expect, it } from 'vitest';
import { coppice } from './coppice.ts';
import { IS_LONG } from './faults/sandbox-root.ts';
import { makeMemoryDir } from './memory-dir.ts';
import { chooseMoments, stopAt } from './moments.ts';
import { listFiles, makeStore, readAll } from './old-store.ts';

const MOMENTS = IS_LONG ? 200 : 15;

describe('coppice migrate, killed', () => {
  it('leaves every file whole, and no temporary file after the next run', async () => {
    const dir = await makeMemoryDir();
    const { files, reset } = makeStore(dir, 60, 60);
    const args = ['migrate', '--apply', '--store', dir, '--jobs', '4', '--quiet', '--json'];
    const run = { args, root: dir };
    const moments = await chooseMoments(run, MOMENTS);
    const migrated = readAll(files.keys());

    const seen = { old: 0, new: 0, temporary: 0 };
    for (const [at, moment] of moments.entries()) {
      reset();
      await stopAt(run, moment, 'SIGKILL');
      for (const [path, text] of readAll(files.keys())) {
        const state = text === files.get(path) ? 'old' : 'new';
        seen[state] += 1;
        expect(text).toBe((state === 'old' ? files : migrated).get(path));
      }
      seen.temporary += listFiles(dir).length - files.size;
      if (at % 5 !== 4) continue;
      expect((await coppice(args)).exitCode).toBe(0);
      expect(listFiles(dir).toSorted()).toEqual([...files.keys()].toSorted());
      expect(readAll(files.keys())).toEqual(migrated);
    }
    // Otherwise nothing was interrupted, and the test shows nothing.
    expect(Math.min(seen.old, seen.new, seen.temporary)).toBeGreaterThan(0);
  });
});
