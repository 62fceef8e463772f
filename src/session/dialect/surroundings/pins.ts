import { FileError } from '../../../errors.ts';
import { isArray, type JsonValue, parseJson } from '../../jsonl/edit/json.ts';
import type { AgentWorld } from './world.ts';

/** The notes of an agent, in files beside its store, on sessions that their user keeps or that are at work without one. */
export interface PinDialect {
  /** Lists the places of these notes for the sessions in a directory. */
  listPlaces(directory: string, world: AgentWorld): readonly string[];
  /**
   * Reads the notes of a place, once for all of its sessions.
   * @throws FileError where notes about any session cannot be read or understood.
   */
  read(place: string, files: NoteFiles): FindPin;
}

/** Looks up a session by its id. */
export type FindPin = (id: string) => FoundPin;

export interface FoundPin {
  /** The names that the user has given the session there. */
  readonly names?: readonly string[] | undefined;
  /** The reason why the session is kept unless the user includes such sessions. */
  readonly pin?: string | undefined;
}

/** Joins the names that several notes have of one session; undefined where none has any. */
export function joinNames(one: FoundPin, other: FoundPin): readonly string[] | undefined {
  return one.names && other.names ? [...one.names, ...other.names] : (one.names ?? other.names);
}

export interface NoteFiles {
  /** Reads a file; undefined where it is not there. @throws FileError where it cannot be read. */
  readonly readText: (path: string) => string | undefined;
  /** Lists the names in a directory; none where it is not there. @throws FileError where it cannot be read. */
  readonly listNames: (path: string) => readonly string[];
}

export const PINNED = 'is pinned (--include-pinned)';

/** Reads a list of pinned ids. @throws FileError where it cannot be read or understood. */
export function readPinnedIds(path: string, { readText }: NoteFiles): ReadonlySet<string> {
  const value = parseJson(readText(path) ?? '[]');
  if (isArray(value) && value.every(isText)) return new Set(value);
  throw new FileError(path, 'EINVAL', 'cannot read: is not a list of ids');
}

function isText(value: JsonValue): value is string {
  return typeof value === 'string';
}
