import { FileError } from '../../errors.ts';
import { getDialect } from '../../session/agents/index.ts';
import type {
  FindPin,
  FoundPin,
  NoteFiles,
  PinDialect,
} from '../../session/dialect/surroundings/pins.ts';
import { isMissing, toFileError } from '../../session/jsonl/files/file-error.ts';
import { listEntriesSync } from '../../session/jsonl/files/list-directory.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { readRegularFile } from '../files/read-regular-file.ts';

/** The answer of the notes of an agent for one session. */
export interface Pin {
  /** The name that the user has given the session there. */
  readonly name?: string | undefined;
  /** The reason why the session is kept unless the user includes such sessions. */
  readonly pin?: string | undefined;
  /** The reason why it is not known whether it is pinned. */
  readonly doubt?: string;
  readonly failure?: FileError;
}

export const NOT_PINNED: Pin = {};

/** Finds whether sessions are pinned in notes of their agent; reads those of each place once. */
export class PinReader {
  readonly #known = new Map<string, FindPin | FileError>();

  find({ agent, path, id }: Pick<SessionSummary, 'agent' | 'path' | 'id'>): Pin {
    const { pins } = getDialect(agent);
    const place = pins?.findPlace(path);
    if (!pins || place === undefined) return NOT_PINNED;
    const notes = this.#known.get(place) ?? readNotes(place, pins);
    this.#known.set(place, notes);
    return notes instanceof FileError
      ? { doubt: describeDoubt(notes.path), failure: notes }
      : toPin(notes(id));
  }
}

/**
 * Returns whether somebody has pinned a session since it was planned to remove it.
 * @throws FileError where that cannot be read.
 */
export function isPinnedSince(
  session: Pick<SessionSummary, 'agent' | 'path' | 'id'>,
  before: string | undefined,
): boolean {
  const { pin, doubt, failure } = new PinReader().find(session);
  if (failure) throw failure;
  return doubt !== undefined || (pin !== undefined && pin !== before);
}

function toPin({ pin, name, unread }: FoundPin): Pin {
  return unread === undefined ? { pin, name } : { doubt: describeDoubt(unread) };
}

function describeDoubt(path: string): string {
  return `${path} could not be read, and may pin it`;
}

function readNotes(place: string, pins: PinDialect): FindPin | FileError {
  try {
    return pins.read(place, FILES);
  } catch (error) {
    if (error instanceof FileError) return error;
    throw error;
  }
}

const FILES: NoteFiles = {
  readText(path) {
    try {
      return readRegularFile(path).toString('utf8');
    } catch (error) {
      const problem = toFileError(error, path, 'read');
      if (isMissing(problem)) return undefined;
      throw problem;
    }
  },
  listNames: (path) => listEntriesSync(path).map(({ name }) => name),
};
