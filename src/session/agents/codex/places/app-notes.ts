import type { GuardNotes } from '../../../dialect/surroundings/rows.ts';
import { isArray, isObject, parseJsonObject } from '../../../jsonl/edit/json.ts';

/** The file in which the app keeps its own pins and queues. */
const GLOBAL_STATE = '.codex-global-state.json';
const AUTOMATION = 'automation.toml';
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** An automation that continues a thread; other kinds begin a thread each time. */
const CONTINUES = /^[ \t]{0,16}["']?kind["']?[ \t]{0,16}=[ \t]{0,16}["']heartbeat/;
const STATUS = /^[ \t]{0,16}["']?status["']?[ \t]{0,16}=/;
const TARGET = /^[ \t]{0,16}["']?target_thread_id["']?[ \t]{0,16}=/;

/**
 * The notes of the app beside the databases: it pins threads and queues prompts in a file of its own, and an
 * automation may continue a thread at set times.
 */
export const appNotes: GuardNotes = {
  files: [{ name: GLOBAL_STATE, backup: `${GLOBAL_STATE}.bak` }],
  inEach: { directory: 'automations', name: AUTOMATION },
  read(name, text) {
    const pins = new Map<string, string>();
    const add = (found: string, reason: string): void => {
      for (const [id] of found.matchAll(ID)) pins.set(id, `${reason} (--include-pinned)`);
    };
    if (name === AUTOMATION) {
      const lines = text.split('\n');
      if (!isWhole(lines)) return undefined;
      for (const line of lines) if (TARGET.test(line)) add(line, 'has an automation');
      return pins;
    }
    const state = parseJsonObject(text);
    if (!state) return undefined;
    // Releases have the members in the file itself, or in one of its objects.
    for (const holder of [state, ...Object.values(state).filter((one) => isObject(one))]) {
      for (const [key, value] of Object.entries(holder)) {
        if (key.startsWith('pinned-thread-ids')) add(JSON.stringify(value), 'is pinned');
        if (key !== 'queued-follow-ups' || !isObject(value)) continue;
        for (const [id, queue] of Object.entries(value)) {
          if (!isArray(queue) || queue.length > 0) add(id, 'has a queued prompt');
        }
      }
    }
    return pins;
  },
};

/** Returns whether nothing that matters is missing from an automation, as it is where it ends too early. */
function isWhole(lines: readonly string[]): boolean {
  const targets = lines.filter((line) => TARGET.test(line));
  if (targets.length > 0) return targets.every((line) => line.search(ID) !== -1);
  return lines.some((line) => STATUS.test(line)) && !lines.some((line) => CONTINUES.test(line));
}
