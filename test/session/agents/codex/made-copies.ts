import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toPlace } from './made-family.ts';

const PARENT = '0199a213-81c0-7000-8000-000000000001';
export const CHILD = '0199a213-81c9-7000-8000-000000000002';
export const FORK = '0199a213-81cf-7000-8000-000000000003';
const STAMP = '2026-03-01T10:00:00.000Z';
export const META = { timestamp: STAMP, cwd: '/work', originator: 'codex', cli_version: '0.169.0' };

export type Line = readonly [type: string, payload: object];

export const say = (role: string, text: string): Line => [
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

export const COPIED: readonly Line[] = [
  ['session_meta', { ...META, id: PARENT }],
  ...turn('0199a213-81c1-7000-8000-000000000001', 'copied one'),
  ['world_state', { full: true, state: { a: 1 } }],
  compact('copied compaction'),
  ...turn('0199a213-81c2-7000-8000-000000000001', 'copied two'),
];
export const OWN = turn('0199a213-81ca-7000-8000-000000000001', 'own');
export const OTHER = turn('0199a213-81cc-7000-8000-000000000001', 'other');
export const LATER: readonly Line[] = [
  compact('own compaction'),
  ['world_state', { full: true, state: { a: 2 } }],
  ...turn('0199a213-81cb-7000-8000-000000000001', 'later'),
];

/** A sub-agent that has copied a parent. */
export function makeChild(mode: string, own: readonly Line[]): readonly Line[] {
  const first = mode === 'paginated' ? { subagent_history_start_ordinal: COPIED.length + 1 } : {};
  const header = { ...META, id: CHILD, parent_thread_id: PARENT, history_mode: mode, ...first };
  return [['session_meta', header], ...COPIED, ...own];
}

export function toText(mode: string, lines: readonly Line[], from = 0): string {
  const texts = lines.map(([type, payload], at) => {
    const ordinal = mode === 'paginated' ? { ordinal: from + at } : {};
    return JSON.stringify({ timestamp: STAMP, ...ordinal, type, payload });
  });
  return `${texts.join('\n')}\n`;
}

export async function write(home: string, id: string, text: string): Promise<string> {
  const path = toPlace(home, id);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}
