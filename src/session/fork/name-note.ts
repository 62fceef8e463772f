import { lstatSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { NameNote } from '../dialect/forking.ts';
import { isObject } from '../jsonl/edit/json.ts';
import { spliceObject } from '../jsonl/edit/splice.ts';
import { readState } from '../jsonl/files/sync-calls.ts';
import { replaceFile } from '../jsonl/write/replace-file.ts';

/**
 * Plans the change of a file beside a session that repeats its name. Undefined where there is none, it has the
 * name already, or it is behind a link.
 */
export function planNote(
  note: NameNote | undefined,
  signal: AbortSignal,
): (() => Promise<unknown>) | undefined {
  if (!note || !isOwn(note.path)) return undefined;
  const planned = readState(note.path);
  const text = readFileSync(note.path, 'utf8').trim();
  const value = text.includes('\n') ? undefined : parse(text);
  if (!value || value[note.key] === note.name) return undefined;
  const edit = { key: note.key, value: JSON.stringify(note.name) };
  return () =>
    replaceFile(
      note.path,
      ({ bytes, terminated }) => {
        const changed = bytes.includes('{') ? spliceObject(bytes, [edit]) : undefined;
        return changed && [changed, terminated ? '\n' : ''];
      },
      { planned, signal },
    );
}

function isOwn(path: string): boolean {
  const [file, folder] = [path, dirname(path)].map((one) =>
    lstatSync(one, { throwIfNoEntry: false }),
  );
  return file?.isFile() === true && folder?.isDirectory() === true;
}

function parse(text: string) {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
