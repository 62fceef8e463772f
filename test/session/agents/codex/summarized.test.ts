import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readContext } from '../../../../src/session/read/read-context.ts';
import { runTest } from '../../../memory-terminal.ts';
import { makeTempDir } from '../../../temp-dir.ts';
import { FORK, LATER, type Line, META, OTHER, OWN, say, toText, write } from './made-copies.ts';

const ID = '0199a213-81d9-7000-8000-000000000002';
const GONE: ReadonlySet<string> = new Set([
  'response_item',
  'compacted',
  'world_state',
  'turn_context',
]);

async function compact(home: string, path: string, ...argv: readonly string[]) {
  const options = { cwd: home, home, env: { CODEX_HOME: home } };
  const run = await runTest(
    ['compact', '--summarized', path, ...argv, '--grace', '0s', '--json'],
    options,
  );
  const { results } = JSON.parse(run.out) as {
    results: readonly { action: string; reasons: readonly string[]; bytesAfter: number }[];
  };
  return results[0];
}

/** A thread that goes on behind the first lines of the other. */
function writeFork(home: string, shared: readonly Line[]): Promise<string> {
  const base = {
    thread_id: ID,
    end_ordinal_exclusive: shared.length,
    end_byte_offset: Buffer.byteLength(toText('paginated', shared)),
  };
  const own = { ...META, id: FORK, history_mode: 'paginated', history_base: base };
  const text = toText('paginated', [['session_meta', own], say('user', 'fork')], shared.length);
  return write(home, FORK, text);
}

const getType = (line: string): string => (JSON.parse(line) as { type: string }).type;

describe.each(['paginated', 'legacy'])('compact --summarized of a thread: %s', (mode) => {
  const header = ['session_meta', { ...META, id: ID, history_mode: mode }] as const;
  const rollback = ['event_msg', { type: 'thread_rolled_back', num_turns: 1 }] as const;

  it('keeps a thread that was not compacted', async () => {
    const home = await makeTempDir();
    const path = await write(home, ID, toText(mode, [header, ...OWN, ...OWN]));
    expect(await compact(home, path, '--apply')).toMatchObject({ action: 'unchanged' });
  });

  it.each([
    ['turns', [...OWN, ...LATER, ...OWN]],
    ['turns that were rolled back', [...OWN, ...OWN, rollback, ...LATER, ...OWN]],
    ['two compactions', [...OWN, ...LATER, ...OWN, ...LATER]],
  ])('removes what the newest compaction replaces, but for what is shown: %s', async (_, own) => {
    const home = await makeTempDir();
    const path = await write(home, ID, toText(mode, [header, ...own]));
    const before = (await readContext(path)).messages;
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const plan = await compact(home, path);
    expect(plan?.reasons.join('; ')).toMatch(
      /^\d+ summarized entries; a rollback or revert to before its last compaction/,
    );

    expect(await compact(home, path, '--apply')).toEqual(plan);
    expect(statSync(path).size).toBe(plan?.bytesAfter);
    expect((await readContext(path)).messages).toEqual(before);
    const last = lines.findLastIndex((line) => getType(line) === 'compacted');
    const kept = lines.filter((line, at) => at >= last || !GONE.has(getType(line)));
    expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toEqual(kept);
    expect(await compact(home, path, '--apply')).toMatchObject({ action: 'unchanged' });
  });
});

const HOOK_PROMPT = say('user', '<hook_prompt hook_run_id="stop:1">Go on.</hook_prompt>');

describe('compact --summarized', () => {
  it.each([
    ['paginated', 1],
    ['legacy', 2],
  ])('keeps what a hook has asked for if nothing else shows it: %s', async (mode, parts) => {
    const home = await makeTempDir();
    const header = ['session_meta', { ...META, id: ID, history_mode: mode }] as const;
    const path = await write(home, ID, toText(mode, [header, ...OWN, HOOK_PROMPT, ...LATER]));
    expect(await compact(home, path, '--apply')).toMatchObject({ action: 'reduce' });
    expect(readFileSync(path, 'utf8').split('hook_prompt hook_run_id')).toHaveLength(parts);
    expect(await compact(home, path, '--apply')).toMatchObject({ action: 'unchanged' });
  });

  it('keeps the context of every turn to which a fork may go back', async () => {
    const home = await makeTempDir();
    const header = ['session_meta', { ...META, id: ID, history_mode: 'paginated' }] as const;
    const shared = [header, ...OWN, ...LATER, ...OTHER];
    const path = await write(home, ID, toText('paginated', [...shared, ...OWN, ...LATER]));
    await writeFork(home, shared);
    expect(await compact(home, path, '--apply')).toMatchObject({ action: 'reduce' });
    const models = readFileSync(path, 'utf8').matchAll(/"turn_context".*"model":"(\w+)"/g);
    expect([...models].map(([, model]) => model)).toEqual(['later', 'other', 'later']);
  });

  it('keeps what a fork is sent that begins before the compaction', async () => {
    const home = await makeTempDir();
    const header = ['session_meta', { ...META, id: ID, history_mode: 'paginated' }] as const;
    const shared = [header, ...OWN, ...LATER, say('user', 'of both')];
    const path = await write(home, ID, toText('paginated', [...shared, ...OWN, ...LATER]));
    const fork = await writeFork(home, shared);
    const before = [await readContext(path), await readContext(fork)];
    expect(await compact(home, path, '--apply')).toMatchObject({ action: 'reduce' });
    expect([await readContext(path), await readContext(fork)]).toEqual(before);
    const left = readFileSync(path, 'utf8');
    expect(left).toContain('of both');
    expect(left.split('"text":"own"')).toHaveLength(1);
  });
});
