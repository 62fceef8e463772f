import { readFileSync } from 'node:fs';
import { type JsonObject, parseJsonObject } from '../edit/json.ts';
import { spliceObject } from '../edit/splice.ts';
import { toFileError } from '../files/file-error.ts';
import { isOwnFile } from '../files/is-own-file.ts';
import { readState } from '../files/sync-calls.ts';
import { replaceFile } from './replace-file.ts';

/** A file that holds one JSON object on one line, and the member of it that changes. */
export interface NoteChange {
  readonly path: string;
  readonly key: string;
  readonly value: string;
}

/**
 * Plans the change of a note beside a session. Undefined where there is none, it says so already, or it is behind
 * a link.
 * @throws FileError if it cannot be read.
 */
export function planNote(
  note: NoteChange | undefined,
  signal: AbortSignal,
): (() => Promise<unknown>) | undefined {
  if (!note || !isOwnFile(note.path)) return undefined;
  const { path, key, value } = note;
  const planned = readState(path);
  const stored = readNote(path);
  if (!stored || stored[key] === value) return undefined;
  const edit = { key, value: JSON.stringify(value) };
  return () =>
    replaceFile(
      path,
      ({ bytes, terminated }) => {
        const changed = bytes.includes('{') ? spliceObject(bytes, [edit]) : undefined;
        return changed && [changed, terminated ? '\n' : ''];
      },
      { planned, signal },
    );
}

function readNote(path: string): JsonObject | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw toFileError(error, path, 'read');
  }
  if (text.includes('\n')) return undefined;
  return parseJsonObject(text);
}
