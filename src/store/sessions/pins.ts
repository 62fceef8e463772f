import { dirname } from 'node:path';
import { FileError } from '../../errors.ts';
import { orFileErrorSync } from '../../session/jsonl/files/file-error.ts';
import { getDialect } from '../../session/agents/index.ts';
import type { AgentWorld } from '../../session/dialect/surroundings/world.ts';
import type { FindPin, NoteFiles, PinDialect } from '../../session/dialect/surroundings/pins.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { listNoteNames, readNoteText } from '../files/read-note-text.ts';

/** The answer of the notes of an agent for one session. */
export interface Pin {
  /** The name that the user has given the session there. */
  readonly name?: string | undefined;
  /** The reason why the session is kept unless the user includes such sessions. */
  readonly pin?: string | undefined;
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
    name: one.name ?? other.name,
    pin: one.pin ?? other.pin,
    doubt: one.doubt ?? other.doubt,
    failure: one.failure ?? other.failure,
  };
}

/**
 * Returns whether somebody has pinned a session, or named one without a name, since it was planned to remove it.
 * @throws FileError where that cannot be read.
 */
export function isPinnedOrNamedSince(
  { pin: before, ...session }: NotedSession,
  world: AgentWorld,
): boolean {
  const { pin, name, doubt, failure } = new PinReader(world).find(session);
  if (failure) throw failure;
  const isNamed = session.name === null && name !== undefined;
  return doubt !== undefined || isNamed || (pin !== undefined && pin !== before);
}

/** A session with what was known of it when the plan was made. */
interface NotedSession extends Pick<SessionSummary, 'agent' | 'path' | 'id' | 'name'> {
  readonly pin?: string | undefined;
}

function describeDoubt(path: string): string {
  return `${path} could not be read, and may pin it`;
}

function readNotes(place: string, pins: PinDialect): FindPin | FileError {
  return orFileErrorSync(() => pins.read(place, FILES));
}

const FILES: NoteFiles = { readText: (path) => readNoteText(path), listNames: listNoteNames };
