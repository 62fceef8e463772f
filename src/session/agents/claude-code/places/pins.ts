import { join } from 'node:path';
import {
  type FoundPin,
  type NoteFiles,
  PINNED,
  type PinDialect,
  readPinnedIds,
} from '../../../dialect/surroundings/pins.ts';
import { getString, type JsonValue, parseJsonObject } from '../../../jsonl/edit/json.ts';
import { findConfig } from './session-files.ts';

/**
 * Background sessions: in 2.1.330, each has a directory in `<config>/jobs` that is named after the first eight digits of
 * its id, with its state, and `pins.json` lists the names of those that the user has pinned.
 */
export const pins: PinDialect = {
  listPlaces(path) {
    const config = findConfig(path);
    return config === undefined ? [] : [join(config, 'jobs')];
  },
  read(place, files) {
    const pinned = readPinnedIds(join(place, 'pins.json'), files);
    const known = new Map<string, FoundPin>([...pinned].map((job) => [job, { pin: PINNED }]));
    for (const job of files.listNames(place)) {
      if (!JOB.test(job)) continue;
      const { ids, note } = readJob(join(place, job, 'state.json'), files);
      const found = pinned.has(job) ? { ...note, pin: PINNED, unread: undefined } : note;
      for (const id of [job, ...ids]) known.set(id, found);
    }
    return (id) => known.get(id) ?? known.get(toJob(id)) ?? {};
  },
};

/** The name of the directory of a background session. */
const JOB = /^[\da-f]{8}$/;

function toJob(id: string): string {
  return id.slice(0, 8);
}

/** The states in which a background session has ended. */
const ENDED: ReadonlySet<JsonValue | undefined> = new Set(['done', 'failed', 'stopped']);

const AT_WORK = 'is a background session that has not ended (--include-pinned)';

/** The ids that a background session has, besides its first, and what may keep it. */
function readJob(
  path: string,
  { readText }: NoteFiles,
): { readonly ids: readonly string[]; readonly note: FoundPin } {
  const text = readText(path);
  if (text === undefined) return { ids: [], note: {} };
  const state = parseJsonObject(text);
  // It is about one session, of which its directory has the first digits.
  if (!state) return { ids: [], note: { unread: path } };
  const { sessionId, resumeSessionId } = state;
  const ids = [sessionId, resumeSessionId].filter((one) => typeof one === 'string');
  const given = state['nameSource'] === 'user' ? getString(state, 'name')?.trim() : undefined;
  return {
    ids,
    note: { name: given || undefined, pin: ENDED.has(state['state']) ? undefined : AT_WORK },
  };
}
