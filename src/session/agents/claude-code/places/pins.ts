import { join } from 'node:path';
import { FileError } from '../../../../errors.ts';
import {
  type FoundPin,
  joinNames,
  type NoteFiles,
  PINNED,
  type PinDialect,
  readPinnedIds,
} from '../../../dialect/surroundings/pins.ts';
import {
  getString,
  isArray,
  isObject,
  isTextIfAny,
  type JsonObject,
  type JsonValue,
  parseJsonObject,
} from '../../../jsonl/edit/json.ts';
import { listConfigDirectories } from './default-stores.ts';
import { findConfigOf } from './config.ts';
import { listSessionSharers } from './shared-stores.ts';

/**
 * Background sessions: in 2.1.332, each has a directory in `<config>/jobs` that is named after the first eight digits of
 * its id, with its state, and `pins.json` lists the names of those that the user has pinned. Before that list, a file
 * `pinned` in the directory did so; 2.1.133 still makes the list of these.
 */
export const pins: PinDialect = {
  // Two directories of the client may share their sessions by a link: each has notes of its own on them.
  listPlaces(directory, world) {
    const own = findConfigOf(directory);
    const around = own === undefined ? [] : [own, ...listSessionSharers(own, world)];
    return [...new Set([...around, ...listConfigDirectories(world)])].map((config) =>
      join(config, 'jobs'),
    );
  },
  read(place, files) {
    const list = join(place, 'pins.json');
    const pinned = readPinnedIds(list, files);
    const isListed = files.readText(list) !== undefined;
    const known = new Map<string, FoundPin>([...pinned].map((job) => [job, { pin: PINNED }]));
    for (const job of files.listNames(place)) {
      if (!JOB.test(job)) continue;
      const { ids, note } = readJob(join(place, job, 'state.json'), files);
      const isMarked = !isListed && files.readText(join(place, job, 'pinned')) !== undefined;
      const isPinned = pinned.has(job) || isMarked;
      const found = isPinned ? { ...note, pin: PINNED } : note;
      for (const id of new Set([job, ...ids])) known.set(id, joinNotes(found, known.get(id)));
    }
    return (id) => joinNotes(known.get(id), known.get(toJob(id)));
  },
};

/** The name of the directory of a background session. */
export const JOB = /^[\da-f]{8}$/;

function toJob(id: string): string {
  return id.slice(0, 8);
}

/** A session that was resumed in another background session has a note of its own, and that of the other. */
function joinNotes(one: FoundPin = {}, other: FoundPin = {}): FoundPin {
  return {
    names: joinNames(one, other),
    pin: one.pin ?? other.pin,
  };
}

/** The states in which a background session has ended. */
const ENDED: ReadonlySet<JsonValue | undefined> = new Set(['done', 'failed', 'stopped']);

const AT_WORK = 'is a background session that has not ended (--include-pinned)';
const QUEUED = 'is a background session with a queued prompt (--include-pinned)';
const WAKES = 'is a background session that continues by itself (--include-pinned)';

/** The members of a state that say which session it is about. */
const TEXTS = ['sessionId', 'resumeSessionId', 'name'] as const;

/** The ids that a background session has, besides its first, and what may keep it. */
function readJob(
  path: string,
  { readText }: NoteFiles,
): { readonly ids: readonly string[]; readonly note: FoundPin } {
  const text = readText(path);
  if (text === undefined) return { ids: [], note: {} };
  const state = parseJsonObject(text);
  // Its session may have got another id since, and it may have resumed any.
  if (!state) throw new FileError(path, 'EINVAL', 'cannot read: is not a JSON object');
  if (!TEXTS.every((key) => isTextIfAny(state, key))) {
    throw new FileError(path, 'EINVAL', 'cannot read: an id or a name in it is not a text');
  }
  const { sessionId, resumeSessionId } = state;
  const ids = [sessionId, resumeSessionId].filter((one) => typeof one === 'string');
  // The client gives any other name to the session when it starts it again.
  const given = state['nameSource'] === 'auto' ? undefined : getString(state, 'name')?.trim();
  return { ids, note: { names: given ? [given] : undefined, pin: findPin(state) } };
}

/**
 * The state of the last turn remains while the next one is at work: then the pace says so. A prompt that was sent to a
 * session that has ended waits until that is started again.
 */
function findPin(state: JsonObject): string | undefined {
  const { tempo, replayOwed, selfWake, inFlight } = state;
  if (!ENDED.has(state['state']) || tempo === 'active') return AT_WORK;
  if (isSaid(replayOwed) || isSaid(state['queuedPrompt'])) return QUEUED;
  return isSaid(selfWake) || mayWake(inFlight) ? WAKES : undefined;
}

/** Returns whether there is something, whatever form it has: only nothing and no are known to say that there is not. */
function isSaid(value: JsonValue = null): boolean {
  return typeof value === 'string' ? value.trim() !== '' : value !== null && value !== false;
}

function mayWake(inFlight: JsonValue = null): boolean {
  if (!isObject(inFlight)) return isSaid(inFlight);
  const { kinds = null } = inFlight;
  if (!isArray(kinds)) return isSaid(kinds);
  return kinds.some((kind) => typeof kind !== 'string' || kind === 'session_cron');
}
