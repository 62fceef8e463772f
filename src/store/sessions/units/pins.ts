import { dirname } from 'node:path';
import { FileError } from '../../../errors.ts';
import { orFileErrorSync } from '../../../session/jsonl/files/file-error.ts';
import { getDialect } from '../../../session/agents/index.ts';
import type { AgentWorld } from '../../../session/dialect/surroundings/world.ts';
import {
  type FindPin,
  type FoundPin,
  joinNames,
  type NoteFiles,
  type PinDialect,
} from '../../../session/dialect/surroundings/pins.ts';
import type { SessionSummary, Unread } from '../../../session/model/summary.ts';
import { listNoteNames, readNoteText } from '../../files/read-note-text.ts';

/** The answer of the notes of an agent for one session. */
export interface Pin extends FoundPin {
  /** The reason why it is not known whether it is pinned. */
  readonly doubt?: string | undefined;
  readonly failure?: FileError | undefined;
}

export const NOT_PINNED: Pin = {};

/** Finds whether sessions are pinned in notes of their agent; reads those of each place once. */
export class PinReader {
  readonly #world: AgentWorld;
  readonly #known = new Map<string, FindPin | FileError>();
  /** The places of the notes about what is in a directory. */
  readonly #places = new Map<PinDialect, Map<string, readonly string[]>>();

  constructor(world: AgentWorld) {
    this.#world = world;
  }

  /** Finds what the notes of all places say, and a doubt where one of them cannot be read. */
  find({ agent, path, id }: Pick<SessionSummary, 'agent' | 'path' | 'id'>): Pin {
    const { pins } = getDialect(agent);
    if (!pins) return NOT_PINNED;
    const found = this.#list(pins, dirname(path)).map((place) => this.#ask(place, pins, id));
    return found.reduce(join, NOT_PINNED);
  }

  #list(pins: PinDialect, directory: string): readonly string[] {
    const places = this.#places.get(pins) ?? new Map<string, readonly string[]>();
    this.#places.set(pins, places);
    const known = places.get(directory) ?? pins.listPlaces(directory, this.#world);
    places.set(directory, known);
    return known;
  }

  #ask(place: string, pins: PinDialect, id: string): Pin {
    const notes = this.#known.get(place) ?? readNotes(place, pins);
    this.#known.set(place, notes);
    return notes instanceof FileError
      ? { doubt: describeDoubt(notes.path), failure: notes }
      : notes(id);
  }
}

function join(one: Pin, other: Pin): Pin {
  if (one === NOT_PINNED) return other;
  return {
    names: joinNames(one, other),
    pin: one.pin ?? other.pin,
    doubt: one.doubt ?? other.doubt,
    failure: one.failure ?? other.failure,
  };
}

/** A session by what was read of it: its name, and whether there are others. */
type Named = Pick<SessionSummary, 'name'> & { readonly unread: Pick<Unread, 'otherName'> };

/** Returns whether there is a name that a session was not known to have. */
export function hasOtherName({ name, unread }: Named, names: readonly string[] = []): boolean {
  return names.some((one) => one !== name) && unread.otherName !== true;
}

/**
 * Returns whether somebody has pinned a session, or given it another name, since it was planned to remove it.
 * @throws FileError where that cannot be read.
 */
export function isPinnedOrNamedSince(
  { pin: before, ...session }: NotedSession,
  world: AgentWorld,
): boolean {
  const { pin, names, doubt, failure } = new PinReader(world).find(session);
  if (failure) throw failure;
  const isNamed = hasOtherName(session, names);
  return doubt !== undefined || isNamed || (pin !== undefined && pin !== before);
}

/** A session with what was known of it when the plan was made. */
interface NotedSession extends Named, Pick<SessionSummary, 'agent' | 'path' | 'id'> {
  readonly pin?: string | undefined;
}

function describeDoubt(path: string): string {
  return `${path} could not be read, and may pin it`;
}

function readNotes(place: string, pins: PinDialect): FindPin | FileError {
  return orFileErrorSync(() => pins.read(place, FILES));
}

const FILES: NoteFiles = { readText: (path) => readNoteText(path), listNames: listNoteNames };
