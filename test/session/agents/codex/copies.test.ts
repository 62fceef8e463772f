import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readContext } from '../../../../src/session/read/read-context.ts';
import { readSession } from '../../../../src/session/read/read-session.ts';
import { runTest } from '../../../memory-terminal.ts';
import { makeTempDir } from '../../../temp-dir.ts';
import {
  CHILD,
  COPIED,
  FORK,
  LATER,
  makeChild,
  META,
  OWN,
  say,
  toText,
  write,
} from './made-copies.ts';

async function compactCopies(home: string, ...argv: readonly string[]) {
  const options = { cwd: home, home, env: { CODEX_HOME: home } };
  const { out } = await runTest(
    ['compact', '--copies', ...argv, '--grace', '0s', '--json'],
    options,
  );
  return (
    JSON.parse(out) as {
      results: readonly { action: string; reasons: readonly string[]; bytesAfter: number }[];
    }
  ).results[0];
}

describe.each(['paginated', 'legacy'])('what a sub-agent has copied: %s', (mode) => {
  it('is known', async () => {
    const home = await makeTempDir();
    const path = await write(home, CHILD, toText(mode, makeChild(mode, OWN)));
    const { entries } = (await readSession(path)).session;
    expect(entries.filter(({ isCopied }) => isCopied)).toHaveLength(COPIED.length);
    expect(entries.findIndex(({ isCopied }) => !isCopied)).toBe(COPIED.length);
  });

  it('is kept before the sub-agent has been compacted, but for what the copy itself replaces', async () => {
    const home = await makeTempDir();
    const path = await write(home, CHILD, toText(mode, makeChild(mode, OWN)));
    const before = (await readContext(path)).messages;
    expect(await compactCopies(home, path, '--apply')).toMatchObject({ action: 'reduce' });
    expect((await readContext(path)).messages).toEqual(before);
    expect(readFileSync(path, 'utf8')).toContain('copied compaction');
    expect(await compactCopies(home, path, '--apply')).toMatchObject({ action: 'unchanged' });
  });

  it('is removed where its own compaction replaces it, but for events and headers', async () => {
    const home = await makeTempDir();
    const path = await write(home, CHILD, toText(mode, makeChild(mode, [...OWN, ...LATER])));
    const before = (await readContext(path)).messages;
    const lines = readFileSync(path, 'utf8').split('\n');
    const plan = await compactCopies(home, path);
    expect(plan?.reasons.join('; ')).toMatch(/^6 copied lines; a rollback or revert to before/);
    expect(readFileSync(path, 'utf8').split('\n')).toEqual(lines);

    expect(await compactCopies(home, path, '--apply')).toEqual(plan);
    expect(statSync(path).size).toBe(plan?.bytesAfter);
    expect((await readContext(path)).messages).toEqual(before);
    const gone = new Set(['response_item', 'compacted', 'world_state', 'turn_context']);
    const isKept = (line: string, at: number): boolean =>
      at > COPIED.length || line === '' || !gone.has((JSON.parse(line) as { type: string }).type);
    expect(readFileSync(path, 'utf8').split('\n')).toEqual(lines.filter(isKept));
  });
});

describe('what a sub-agent has copied', () => {
  it('is kept where a fork sends it, or begins', async () => {
    const home = await makeTempDir();
    const lines = makeChild('paginated', [...OWN, ...LATER]);
    const shared = lines.slice(0, 1 + COPIED.length + OWN.length);
    const path = await write(home, CHILD, toText('paginated', lines));
    const base = {
      thread_id: CHILD,
      end_ordinal_exclusive: shared.length,
      end_byte_offset: Buffer.byteLength(toText('paginated', shared)),
    };
    const header = { ...META, id: FORK, history_mode: 'paginated', history_base: base };
    const text = toText(
      'paginated',
      [['session_meta', header], say('user', 'fork')],
      shared.length,
    );
    const fork = await write(home, FORK, text);
    const before = [await readContext(path), await readContext(fork)];
    const { action } = (await compactCopies(home, path, '--apply')) ?? {};
    expect(action).toBe('reduce');
    expect([await readContext(path), await readContext(fork)]).toEqual(before);
    const left = readFileSync(path, 'utf8');
    expect(left).not.toContain('"text":"copied one"');
    expect(left).toContain('"text":"copied two"');
  });

  it('is not known where a file has neither ordinals nor the header of the parent', async () => {
    const home = await makeTempDir();
    const lines = makeChild('legacy', [...OWN, ...LATER]);
    const other = lines.filter(([type], at) => type !== 'session_meta' || at === 0);
    const path = await write(home, CHILD, toText('legacy', other));
    expect(await compactCopies(home, path, '--apply')).toMatchObject({ action: 'unchanged' });
  });
});
