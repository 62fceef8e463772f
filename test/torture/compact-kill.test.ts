import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assistant, toSession, user } from '../session-lines.ts';
import { toJsonl } from '../temp-dir.ts';
import { coppice } from './coppice.ts';
import { IS_LONG } from './faults/sandbox-root.ts';
import { makeMemoryDir } from './memory-dir.ts';
import { chooseMoments, stopAt } from './moments.ts';
import { listFiles, readAll } from './old-store.ts';

const MOMENTS = IS_LONG ? 48 : 8;
const LONG_AGO = new Date('2026-04-01T00:00:00Z');

/** Sessions with forty images each, by path; written anew by `reset`. */
function makeStore(dir: string, sessions: number) {
  const store = join(dir, 'store');
  const images = Array.from({ length: 40 }, (_, index) => {
    const data = Buffer.alloc(2000, `image ${index} `).toString('base64');
    return [user([{ type: 'image', data, mimeType: 'image/png' }]), assistant('Seen.')];
  });
  const text = toJsonl(toSession(images.flat()));
  const paths = Array.from({ length: sessions }, (_, at) => join(store, `${at}.jsonl`));
  const reset = (): void => {
    rmSync(store, { recursive: true, force: true });
    mkdirSync(store);
    for (const path of paths) {
      writeFileSync(path, text);
      utimesSync(path, LONG_AGO, LONG_AGO);
    }
  };
  reset();
  return { store, paths, text, reset };
}

describe('coppice compact --images extract, killed', () => {
  it('leaves whole files, every image that one names, and no litter after the next run', async () => {
    const { store, paths, text, reset } = makeStore(await makeMemoryDir(), 8);
    const args = ['compact', '--images', 'extract', '--apply', '--store', store, '--jobs', '4'];
    const run = { args, root: store };
    const moments = await chooseMoments(run, MOMENTS);
    const done = readAll(listFiles(store));
    expect(done.size).toBe(8 * 41);

    const seen = { old: 0, new: 0, temporary: 0 };
    for (const moment of moments) {
      reset();
      await stopAt(run, moment, 'SIGKILL');
      for (const [path, found] of readAll(paths)) {
        const state = found === text ? 'old' : 'new';
        seen[state] += 1;
        expect(found).toBe(state === 'old' ? text : done.get(path));
      }
      seen.temporary += listFiles(store).filter((path) => path.endsWith('.coppice-tmp')).length;
      expect((await coppice(args)).exitCode).toBe(0);
      expect(readAll(listFiles(store))).toEqual(done);
    }
    expect(Math.min(seen.old, seen.new, seen.temporary)).toBeGreaterThan(0);
  });
});
