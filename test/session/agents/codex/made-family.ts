import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const PARENT = '0199a213-81c0-7000-8000-000000000001';
export const EARLY = '0199a213-81c0-7000-8000-000000000002';
export const LATE = '0199a213-81c0-7000-8000-000000000003';
export const BELOW = '0199a213-81c0-7000-8000-000000000004';

const LONG_AGO = 1_700_000_000;
const STAMP = '2026-03-01T10:00:00.000Z';

/** Where rollouts of a home lie. */
export function toPlace(home: string, id: string): string {
  return join(home, 'sessions/2026/03/01', `rollout-2026-03-01T10-00-00-${id}.jsonl`);
}

interface Base {
  readonly id: string;
  readonly ordinal: number;
  readonly offset: number;
}

/** A rollout of Codex 0.169, line by line. */
class Rollout {
  readonly #id: string;
  readonly lines: string[] = [];
  #ordinal: number;

  constructor(id: string, base?: Base) {
    this.#id = id;
    this.#ordinal = base?.ordinal ?? 0;
    const common = {
      id,
      session_id: id,
      timestamp: STAMP,
      cwd: '/work',
      originator: 'codex_cli_rs',
    };
    const from = base && {
      forked_from_id: base.id,
      history_base: {
        thread_id: base.id,
        end_ordinal_exclusive: base.ordinal,
        end_byte_offset: base.offset,
      },
    };
    const more = { cli_version: '0.169.0', history_mode: 'paginated', source: 'cli', ...from };
    this.#add('session_meta', { ...common, ...more });
  }

  #add(type: string, payload: object): void {
    this.lines.push(JSON.stringify({ timestamp: STAMP, ordinal: this.#ordinal, type, payload }));
    this.#ordinal += 1;
  }

  turn(text: string): this {
    const turn_id = `turn-${this.#id.at(-1)}-${this.#ordinal}`;
    this.#add('event_msg', { type: 'task_started', turn_id });
    this.#add('world_state', {
      full: true,
      state: { skills: 'a skill of many words '.repeat(20) },
    });
    this.#say('user', text);
    const item = { type: 'UserMessage', content: [{ type: 'text', text }] };
    this.#add('event_msg', { type: 'item_completed', turn_id, item });
    const call = { call_id: `call-${turn_id}`, name: 'exec_command', arguments: '{}' };
    this.#add('response_item', { type: 'function_call', ...call });
    const output = { call_id: call.call_id, output: `${text}: ${'out '.repeat(200)}` };
    this.#add('response_item', { type: 'function_call_output', ...output });
    this.#say('assistant', `An answer to ${text}`);
    this.#add('event_msg', { type: 'task_complete', turn_id });
    return this;
  }

  #say(role: string, text: string): void {
    const kind = role === 'user' ? 'input_text' : 'output_text';
    this.#add('response_item', { type: 'message', role, content: [{ type: kind, text }] });
  }

  compact(text: string): this {
    const content = [{ type: 'input_text', text: `${text} ${'and more '.repeat(100)}` }];
    const replacement_history = [{ type: 'message', role: 'user', content }];
    this.#add('compacted', { message: text, replacement_history });
    return this;
  }

  get end(): Base {
    const text = this.text;
    return { id: this.#id, ordinal: this.#ordinal, offset: Buffer.byteLength(text) };
  }

  get text(): string {
    return `${this.lines.join('\n')}\n`;
  }
}

/** The text of a thread, of two forks from different places of it, and of a fork of one of these, by id. */
export function makeFamilyTexts(): Readonly<Record<string, string>> {
  const parent = new Rollout(PARENT).turn('one').compact('first').turn('two').compact('second');
  const early = new Rollout(EARLY, parent.turn('three').end).turn('in early');
  parent.compact('third').turn('four').compact('fourth').turn('five');
  const late = new Rollout(LATE, parent.end).turn('in late');
  const below = new Rollout(BELOW, late.end).turn('below');
  return {
    [PARENT]: parent.text,
    [EARLY]: early.text,
    [LATE]: late.text,
    [BELOW]: below.text,
  };
}

/** Puts these into a home; the paths, by id. */
export function makeFamily(home: string): ReadonlyMap<string, string> {
  mkdirSync(join(home, 'sessions/2026/03/01'), { recursive: true });
  return new Map(
    Object.entries(makeFamilyTexts()).map(([id, text]) => {
      const path = toPlace(home, id);
      writeFileSync(path, text);
      // Of a file at rest, nobody waits for whoever may still be writing to it.
      utimesSync(path, LONG_AGO, LONG_AGO);
      return [id, path];
    }),
  );
}
