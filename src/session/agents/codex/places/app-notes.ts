import type { GuardNotes } from '../../../dialect/surroundings/rows.ts';
import type { NoteFile } from '../../../dialect/surroundings/records.ts';
import {
  isArray,
  isObject,
  type JsonObject,
  parseJsonObject,
  writeJson,
} from '../../../jsonl/edit/json.ts';
import { THREAD_IDS } from './home.ts';

/** The file in which the app keeps its own pins, queues and titles. */
const GLOBAL_STATE: NoteFile = {
  name: '.codex-global-state.json',
  backup: '.codex-global-state.json.bak',
};
/** The files of the app that have titles of threads. */
export const titleNotes: readonly NoteFile[] = [GLOBAL_STATE];
const AUTOMATION = 'automation.toml';
/** An automation that continues a thread; other kinds begin a thread each time. */
const CONTINUES = /^[ \t]{0,16}["']?kind["']?[ \t]{0,16}=[ \t]{0,16}["']heartbeat/;
const STATUS = /^[ \t]{0,16}["']?status["']?[ \t]{0,16}=/;
const TARGET = /^[ \t]{0,16}["']?target_thread_id["']?[ \t]{0,16}=/;

/**
 * The notes of the app beside the databases: it pins threads and queues prompts in a file of its own, and an
 * automation may continue a thread at set times.
 */
export const appNotes: GuardNotes = {
  files: [GLOBAL_STATE],
  inEach: { directory: 'automations', name: AUTOMATION },
  read(name, text) {
    const pins = new Map<string, string>();
    const add = (found: string, reason: string): void => {
      for (const [id] of found.matchAll(THREAD_IDS)) pins.set(id, `${reason} (--include-pinned)`);
    };
    if (name === AUTOMATION) {
      const lines = text.split('\n');
      if (!isWhole(lines)) return undefined;
      for (const line of lines) if (TARGET.test(line)) add(line, 'has an automation');
      return pins;
    }
    const state = parseJsonObject(text);
    if (!state) return undefined;
    for (const holder of listHolders(state)) {
      for (const [key, value] of Object.entries(holder)) {
        if (key.startsWith('pinned-thread-ids')) {
          const listed = writeJson(value ?? null);
          if (listed === undefined) return undefined;
          add(listed, 'is pinned');
        }
        if (key !== 'queued-follow-ups') continue;
        if (!isObject(value ?? {})) return undefined;
        for (const [id, queue] of Object.entries(value ?? {})) {
          if (!isArray(queue) || queue.length > 0) add(id, 'has a queued prompt');
        }
      }
    }
    return pins;
  },
};

/** Releases have the members in the file itself, or in one of its objects. */
function listHolders(state: JsonObject): readonly JsonObject[] {
  return [state, ...Object.values(state).filter((one) => isObject(one))];
}

/** The titles by which the app lists threads, a person's or a model's, by id; undefined if one is not a text. */
export function readTitles(states: readonly JsonObject[]): ReadonlyMap<string, string | undefined> {
  const titles = new Map<string, string | undefined>();
  for (const { 'thread-titles': listed } of states.flatMap(listHolders)) {
    const found = isObject(listed) ? listed['titles'] : undefined;
    for (const [id, title] of Object.entries(isObject(found) ? found : {})) {
      const text = typeof title === 'string' ? title.trim() : undefined;
      if (title !== null && text !== '') titles.set(id, text);
    }
  }
  return titles;
}

/** Returns whether nothing that matters is missing from an automation, as it is where it ends too early. */
function isWhole(lines: readonly string[]): boolean {
  const targets = lines.filter((line) => TARGET.test(line));
  if (targets.length > 0) return targets.every((line) => line.search(THREAD_IDS) !== -1);
  return lines.some((line) => STATUS.test(line)) && !lines.some((line) => CONTINUES.test(line));
}
