import { appendFile, copyFile, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assistant, toSession, user } from '../session-lines.ts';
import { toJsonl } from '../temp-dir.ts';
import { runBinary } from '../e2e/run-binary.ts';
import { IS_LONG } from './faults/sandbox-root.ts';
import { makeMemoryDir } from './memory-dir.ts';
import { chooseMoments, stopAt } from './moments.ts';

const LONG_AGO = new Date('2026-04-01T00:00:00Z');
const MOMENTS = IS_LONG ? 48 : 8;

async function setUp() {
  const dir = await makeMemoryDir();
  const path = join(dir, 'a.jsonl');
  const entries = Array.from({ length: 200 }, (_, index) => {
    const bytes = Buffer.alloc(20_000, `${index} of the images `);
    const data = bytes.toString('base64');
    return [user([{ type: 'image', data, mimeType: 'image/png' }]), assistant('Seen.')];
  });
  await writeFile(path, toJsonl(toSession(entries.flat())));
  await utimes(path, LONG_AGO, LONG_AGO);
  const original = join(dir, 'original');
  await copyFile(path, original);
  return { dir, path, original };
}

const EXTRACT = ['--images', 'extract', '--apply'];
const RESTORE = ['--images', 'restore', '--apply'];

describe('coppice compact', () => {
  it('leaves the old or the new file when it is killed, and every image that one names', async () => {
    const { dir, path, original } = await setUp();
    const states = new Set<string>();
    const run = { args: ['compact', path, ...EXTRACT], root: dir };
    for (const moment of await chooseMoments(run, MOMENTS)) {
      await copyFile(original, path);
      await utimes(path, LONG_AGO, LONG_AGO);
      await stopAt(run, moment, 'SIGKILL');
      const isOld = (await readFile(path)).equals(await readFile(original));
      states.add(isOld ? 'old' : 'new');
      await runBinary(['compact', path, ...RESTORE]);
      expect((await readFile(path)).equals(await readFile(original))).toBe(true);
    }
    expect(states.has('old')).toBe(true);
    const validated = await runBinary(['validate', dir]);
    expect(validated.out).toContain('no problems');
  });

  it('carries over what another program appends meanwhile', async () => {
    const { path, original } = await setUp();
    let appended = '';
    const done = new AbortController();
    const run = runBinary(['compact', path, ...EXTRACT]);
    const writing = (async () => {
      for (let index = 0; !done.signal.aborted; index += 1) {
        const parentId = index === 0 ? 'e399' : `late-${index - 1}`;
        const place = { id: `late-${index}`, parentId, timestamp: '2026-03-01T10:00:00.000Z' };
        const line = `${JSON.stringify({ type: 'custom', customType: 'x', ...place })}\n`;
        await appendFile(path, line);
        appended += line;
      }
    })();
    await run;
    done.abort();
    await writing;
    const text = await readFile(path, 'utf8');
    expect(text.endsWith(appended)).toBe(true);
    await utimes(path, LONG_AGO, LONG_AGO);
    await runBinary(['compact', path, ...RESTORE]);
    expect(await readFile(path, 'utf8')).toBe((await readFile(original, 'utf8')) + appended);
  });

  it('appends one whole entry or none when it is killed', async () => {
    const { dir, path, original } = await setUp();
    const before = await readFile(original);
    const force = ['--force', '--keep-recent-tokens', '100', '--apply'];
    const run = { args: ['compact', path, ...force], root: dir };
    for (const moment of await chooseMoments(run, MOMENTS)) {
      await copyFile(original, path);
      await utimes(path, LONG_AGO, LONG_AGO);
      await stopAt(run, moment, 'SIGKILL');
      const after = await readFile(path);
      expect(after.subarray(0, before.length).equals(before)).toBe(true);
      const added = after.subarray(before.length).toString();
      expect(added === '' || JSON.parse(added).type === 'compaction').toBe(true);
    }
    expect(await readdir(dir)).toEqual(['a.jsonl', 'original']);
  });
});
