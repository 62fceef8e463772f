import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { pick } from '../../harness/pick.ts';
import { runBinary } from '../../e2e/run-binary.ts';
import { makeTempDir } from '../../temp-dir.ts';
import { makeSession } from '../old-store.ts';
import { IS_LONG } from './sandbox-root.ts';

const PRELOAD = fileURLToPath(new URL('preload.mjs', import.meta.url));
const LONG_AGO = new Date('2026-04-01T00:00:00Z');
const STEP = IS_LONG ? 1 : 4;

describe('the program itself, when a call fails', () => {
  it('leaves the old file or the new one, says so, and fails honestly', async () => {
    const dir = await makeTempDir();
    const log = join(await makeTempDir(), 'calls');
    const path = join(dir, 's.jsonl');
    const text = makeSession(3);
    const run = async (number: number) => {
      writeFileSync(path, text);
      utimesSync(path, LONG_AGO, LONG_AGO);
      const fault = JSON.stringify({ root: dir, number, code: 'EIO', log });
      const env = { COPPICE_FAULT: fault, NODE_OPTIONS: `--import ${PRELOAD}` };
      const { code, err } = await runBinary(['migrate', dir, '--apply'], { env });
      return { code, err, found: readFileSync(path, 'utf8'), names: readdirSync(dir) };
    };
    const { found: migrated, code } = await run(0);
    expect([code, migrated === text]).toEqual([0, false]);
    const calls = Number(readFileSync(log, 'utf8').split(/\s/)[1]);
    // A run makes some calls more if it begins a moment after the file was written, and looks at it again.
    expect(await run(2 * calls)).toMatchObject({ code: 0, found: migrated });
    const codes = new Set<number | null>();
    for (let number = 1 + pick(STEP, 'binary'); number <= calls; number += STEP) {
      const ran = await run(number);
      codes.add(ran.code);
      expect([text, migrated]).toContain(ran.found);
      expect(ran.code === 0 ? [ran.found, ran.err] : []).toEqual(
        ran.code === 0 ? [migrated, ''] : [],
      );
      expect(ran.names.filter((name) => name !== 's.jsonl').length).toBeLessThan(2);
    }
    expect(codes).toContain(3);
  });
});
