import { basename, dirname } from 'node:path';
import { isObject } from '../../session/jsonl/edit/json.ts';
import { listDirectory } from '../../session/jsonl/files/list-directory.ts';
import { isLeftBehind, toOwnPath } from '../../session/jsonl/files/temp-file.ts';
import { appendLines } from '../../session/jsonl/write/append-file.ts';
import { removeOwnFile } from '../../session/jsonl/write/create-file.ts';
import { readRegularFile } from '../files/read-regular-file.ts';

/** A session that is removed before all that another file holds of it. */
export interface NotedSession {
  readonly path: string;
  readonly id: string;
  /**
   * How much is to be taken out, the first lines or all rows of the session; 0 if it was not removed after all.
   */
  readonly count: number;
}

const ENDING = 'coppice-leaving';
const MAX_NOTE_BYTES = 64 * 1024 * 1024;

/**
 * The note of a run, beside a list of prompts or a database: the sessions whose lines or rows are still to be
 * taken out. Each is noted after these were copied, and before it is removed; a killed run leaves its note.
 */
export class RemovalNote {
  readonly #path: string;
  #written: Promise<void> = Promise.resolve();

  constructor(list: string) {
    this.#path = toOwnPath(list, ENDING);
  }

  /** Returns once it is on the disk. The last one that names a session counts. */
  add(session: NotedSession): Promise<void> {
    const writing = this.#written.then(() => append(this.#path, session));
    this.#written = writing.catch(() => undefined);
    return writing;
  }

  remove(): Promise<void> {
    return removeOwnFile(this.#path);
  }
}

/** Lists the notes beside a list that runs have left which are no longer there. */
export async function listLeftNotes(list: string, now: number): Promise<readonly string[]> {
  const left: string[] = [];
  for (const path of await listNotes(list)) if (await isLeftBehind(path, now)) left.push(path);
  return left;
}

/** Reads the sessions that a note names, without those that stayed. */
export function readNote(path: string): readonly NotedSession[] {
  const text = readRegularFile(path, MAX_NOTE_BYTES).toString('utf8');
  const noted = text.split('\n').flatMap((line) => parseNoted(line) ?? []);
  // One file may have rows by two ids.
  return [...new Map(noted.map((one) => [`${one.id}\0${one.path}`, one])).values()].filter(
    ({ count }) => count > 0,
  );
}

/** Takes a session that is there again out of every note beside a list. */
export async function forgetNoted(list: string, session: Omit<NotedSession, 'count'>) {
  for (const note of await listNotes(list)) {
    const isNoted = readNote(note).some(({ path }) => path === session.path);
    if (isNoted) await append(note, { ...session, count: 0 });
  }
}

async function listNotes(list: string): Promise<readonly string[]> {
  const notes = listDirectory(dirname(list), `.${ENDING}`);
  return notes.filter((path) => basename(path).startsWith(`.${basename(list)}.`));
}

async function append(note: string, { path, id, count }: NotedSession): Promise<void> {
  await appendLines(note, [Buffer.from(`${JSON.stringify({ path, id, count })}\n`)]);
}

/** Undefined for a line that a kill has cut off. */
function parseNoted(line: string): NotedSession | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (!isObject(value)) return undefined;
    const { path, id, count } = value;
    const isNoted = typeof path === 'string' && typeof id === 'string' && typeof count === 'number';
    return isNoted ? { path, id, count } : undefined;
  } catch {
    return undefined;
  }
}
