import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readContext } from '../../src/session/read/read-context.ts';
import {
  CHILD,
  LATER,
  makeChild,
  OWN,
  toText,
  write,
} from '../session/agents/codex/made-copies.ts';
import { coppice } from './coppice.ts';
import { IS_LONG } from './faults/sandbox-root.ts';
import { makeMemoryDir } from './memory-dir.ts';
import { chooseMoments, failAt, type Stoppable, stopAt } from './moments.ts';
import { NEWER_NODE } from './newer-node.ts';

const MOMENTS = IS_LONG ? 96 : 4;

/** A sub-agent that has been compacted since it copied its parent, in a home that can be put back. */
async function setUp(mode: string) {
  const home = await makeMemoryDir();
  mkdirSync(join(home, 'thread-writer-locks'));
  const text = toText(mode, makeChild(mode, [...OWN, ...LATER]));
  const path = await write(home, CHILD, text);
  const restore = () => {
    rmSync(dirname(path), { recursive: true });
    mkdirSync(dirname(path));
    writeFileSync(path, text);
  };
  return { home, path, text, restore };
}

const scope = NEWER_NODE === undefined ? undefined : describe;
/** What is done to a run at its call of some number. */
const FAULTS = {
  killed: (run: Stoppable, moment: number) => stopAt(run, moment, 'SIGKILL'),
  'with a call that fails': (run: Stoppable, moment: number) => failAt(run, moment, 'EIO'),
};

scope?.('coppice compact --copies, stopped at any moment', () => {
  it.each(
    ['paginated', 'legacy'].flatMap((mode) =>
      Object.entries(FAULTS).map(([how, fault]) => [mode, how, fault] as const),
    ),
  )(
    'leaves the old file or the new one, and the next run ends the work: %s, %s',
    async (mode, _, fault) => {
      const { home, path, text, restore } = await setUp(mode);
      const { messages } = await readContext(path);
      const args = ['compact', '--copies', '--grace', '0s', '--apply', join(home, 'sessions')];
      const run = { args, root: home, node: NEWER_NODE };
      const moments = await chooseMoments(run, MOMENTS);
      const whole = readFileSync(path, 'utf8');
      const names = await readdir(dirname(path));
      expect(whole.length).toBeLessThan(text.length);
      for (const moment of moments) {
        restore();
        await fault(run, moment);
        expect([text, whole]).toContain(readFileSync(path, 'utf8'));
        expect((await readContext(path)).messages).toEqual(messages);
        await coppice(args, { node: NEWER_NODE });
        expect(readFileSync(path, 'utf8')).toBe(whole);
        expect(await readdir(dirname(path))).toEqual(names);
      }
    },
  );
});
