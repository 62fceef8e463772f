import { join } from 'node:path';
import { listEntries } from '../../../session/jsonl/files/list-directory.ts';
import type { NotePlace } from '../../../session/model/sidecar.ts';
import { readNoteText } from '../../files/read-note-text.ts';

/** Returns whether a note may hold a name, relative to the root. */
export type IsNoted = (name: string) => boolean;

/**
 * Reads the notes there. One that ends too early may hold each name that begins so.
 * @throws FileError when one of them cannot be read.
 */
export function readNotedNames(root: string, { directory, file }: NotePlace): IsNoted {
  const noted: string[] = [];
  for (const entry of listEntries(join(root, directory))) {
    if (entry.isFile()) continue;
    const text = readNoteText(join(root, directory, entry.name, file));
    if (text === undefined) continue;
    for (const line of text.trim().toLowerCase().split('\n')) {
      noted.push(`${directory}/${line.trim()}`);
    }
  }
  return (name) => noted.some((one) => name.toLowerCase().startsWith(one));
}
