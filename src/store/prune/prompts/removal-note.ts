import { isObject } from '../../../session/jsonl/edit/json.ts';
import { fileExists } from '../../../session/jsonl/read/read-lines.ts';
import { createFile, removeOwnFile } from '../../../session/jsonl/write/create-file.ts';
import { readRegularFile } from '../../files/read-regular-file.ts';

/** A session whose lines are to be taken out of a list of prompts once it is removed. */
export interface NotedSession {
  readonly path: string;
  readonly id: string;
}

const MAX_NOTE_BYTES = 64 * 1024 * 1024;

/** Stands beside a list while sessions that it has lines of are removed; a run that was killed leaves it. */
function toNotePath(list: string): string {
  return `${list}.leaving`;
}

/** The sessions that a run which was killed had noted; undefined where there is no note. */
export async function readNote(list: string): Promise<readonly NotedSession[] | undefined> {
  const path = toNotePath(list);
  if (!(await fileExists(path))) return undefined;
  const text = readRegularFile(path, MAX_NOTE_BYTES).toString('utf8');
  return text.split('\n').flatMap((line) => parseNoted(line) ?? []);
}

function parseNoted(line: string): NotedSession | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (!isObject(value)) return undefined;
    const { path, id } = value;
    return typeof path === 'string' && typeof id === 'string' ? { path, id } : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the note of an earlier run with one of these sessions, which is on the disk once this returns. */
export async function writeNote(list: string, sessions: readonly NotedSession[]): Promise<void> {
  await removeNote(list);
  const lines = sessions.map(({ path, id }) => Buffer.from(`${JSON.stringify({ path, id })}\n`));
  await createFile(toNotePath(list), lines);
}

export async function removeNote(list: string): Promise<void> {
  await removeOwnFile(toNotePath(list));
}
