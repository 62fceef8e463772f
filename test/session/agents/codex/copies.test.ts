import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readContext } from '../../../../src/session/read/read-context.ts';
import { readSession } from '../../../../src/session/read/read-session.ts';
import { runTest } from '../../../memory-terminal.ts';
import { makeTempDir } from '../../../temp-dir.ts';
import { toPlace } from './made-family.ts';

const PARENT = '0199a213-81c0-7000-8000-000000000001';
const CHILD = '0199a213-81c9-7000-8000-000000000002';
const FORK = '0199a213-81cf-7000-8000-000000000003';
const STAMP = '2026-03-01T10:00:00.000Z';
const META = { timestamp: STAMP, cwd: '/work', originator: 'codex', cli_version: '0.169.0' };

type Line = readonly [type: string, payload: object];

const say = (role: string, text: string): Line => [
  'response_item',
  { type: 'message', role, content: [{ type: 'input_text', text }] },
];
const compact = (text: string): Line => [
  'compacted',
  { message: text, replacement_history: [say('user', text)[1]] },
];
const turn = (id: string, text: string): readonly Line[] => [
  ['event_msg', { type: 'task_started', turn_id: id }],
  ['turn_context', { cwd: '/work', model: text }],
  say('user', text),
  ['event_msg', { type: 'user_message', message: text }],
  ['event_msg', { type: 'token_count', info: null }],
  ['event_msg', { type: 'task_complete', turn_id: id }],
];

const COPIED: readonly Line[] = [
  ['session_meta', { ...META, id: PARENT }],
  ...turn('0199a213-81c1-7000-8000-000000000001', 'copied one'),
  ['world_state', { full: true, state: { a: 1 } }],
  compact('copied compaction'),
  ...turn('0199a213-81c2-7000-8000-000000000001', 'copied two'),
];
const OWN = turn('0199a213-81ca-7000-8000-000000000001', 'own');
const LATER: readonly Line[] = [
  compact('own compaction'),
  ['world_state', { full: true, state: { a: 2 } }],
  ...turn('0199a213-81cb-7000-8000-000000000001', 'later'),
];

/** A sub-agent that has copied a parent. */
function makeChild(mode: string, own: readonly Line[]): readonly Line[] {
  const first = mode === 'paginated' ? { subagent_history_start_ordinal: COPIED.length + 1 } : {};
  const header = { ...META, id: CHILD, parent_thread_id: PARENT, history_mode: mode, ...first };
  return [['session_meta', header], ...COPIED, ...own];
}

function toText(mode: string, lines: readonly Line[], from = 0): string {
  const texts = lines.map(([type, payload], at) => {
    const ordinal = mode === 'paginated' ? { ordinal: from + at } : {};
    return JSON.stringify({ timestamp: STAMP, ...ordinal, type, payload });
  });
  return `${texts.join('\n')}\n`;
}

async function write(home: string, id: string, text: string): Promise<string> {
  const path = toPlace(home, id);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

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
