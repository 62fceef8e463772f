import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readContext } from '../../src/session/read/read-context.ts';
import { makeFamily, PARENT } from '../session/agents/codex/made-family.ts';
import { coppice } from './coppice.ts';
import { IS_LONG } from './faults/sandbox-root.ts';
import { makeMemoryDir } from './memory-dir.ts';
import { chooseMoments, failAt, type Stoppable, stopAt } from './moments.ts';
import { NEWER_NODE } from './newer-node.ts';

const MOMENTS = IS_LONG ? 96 : 4;

/** A family in a home that can be put back as it was. */
async function setUp() {
  const top = await makeMemoryDir();
  const [home, kept] = [join(top, 'home'), join(top, 'kept')];
  mkdirSync(join(home, 'thread-writer-locks'), { recursive: true });
  const family = makeFamily(home);
  cpSync(home, kept, { recursive: true, preserveTimestamps: true });
  const restore = () => {
    rmSync(home, { recursive: true });
    cpSync(kept, home, { recursive: true, preserveTimestamps: true });
  };
  const parent = family.get(PARENT) ?? '';
  const forks = [...family.values()].filter((path) => path !== parent);
  return { top, home, parent, forks, restore };
}

const readSent = (paths: readonly string[]) =>
  Promise.all(paths.map(async (path) => (await readContext(path)).messages));

/** What is done to a run at its call of some number. */
const FAULTS = {
  'killed at any moment': (run: Stoppable, moment: number) => stopAt(run, moment, 'SIGKILL'),
  'of which any call fails': (run: Stoppable, moment: number) => failAt(run, moment, 'EIO'),
};

const scope = NEWER_NODE === undefined ? undefined : describe;

scope?.('coppice prune --flatten', () => {
  it.each(Object.entries(FAULTS))(
    '%s: every fork sends what it did, and the next run ends the work',
    async (_, fault) => {
      const { top, home, parent, forks, restore } = await setUp();
      const archive = join(top, 'archive');
      const text = readFileSync(parent, 'utf8');
      const before = await readSent(forks);
      const rules = ['--flatten', '--larger-than', '1B', '--include-pinned', '--grace', '0s'];
      const args = ['prune', parent, ...rules, '--quiet', '--apply', '--archive', archive];
      const run = { args, root: top, env: { HOME: top, CODEX_HOME: home }, node: NEWER_NODE };
      const moments = await chooseMoments(run, MOMENTS);
      const whole = forks.map((path) => readFileSync(path, 'utf8'));
      for (const moment of moments) {
        restore();
        rmSync(archive, { recursive: true, force: true });
        await fault(run, moment);
        expect(await readSent(forks)).toEqual(before);
        // Each fork is the old file or the new one, and what an old one needs is there.
        const isThere = existsSync(parent);
        const now = isThere
          ? [readFileSync(parent, 'utf8')]
          : forks.map((one) => readFileSync(one, 'utf8'));
        expect(now).toEqual(isThere ? [text] : whole);
        if (isThere) await coppice(args, run);
        expect(existsSync(parent)).toBe(false);
        expect(await readSent(forks)).toEqual(before);
        const back = ['prune', '--restore', 'all', '--archive', archive, '--quiet'];
        await coppice(back, run);
        expect(readFileSync(parent, 'utf8')).toBe(text);
      }
    },
  );
});
