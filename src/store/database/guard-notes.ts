import { basename, join } from 'node:path';
import { FileError } from '../../errors.ts';
import type { RowDialect } from '../../session/dialect/surroundings/rows.ts';
import {
  getNotePath,
  listNoteNames,
  MAX_NOTE_BYTES,
  readNoteText,
} from '../files/read-note-text.ts';

/** The reasons for which programs of an agent keep sessions, by id: as they note them in files of a home. */
export type NotedPins = ReadonlyMap<string, string>;

/**
 * Reads the notes of a home. `ids`: the only sessions that are asked about; a note that names none of them is not
 * parsed.
 * @throws FileError if one of them cannot be read or understood.
 */
export async function readNotedPins(
  { notes }: Pick<RowDialect, 'notes'>,
  home: string,
  ids?: readonly string[],
): Promise<NotedPins> {
  const pins = new Map<string, string>();
  for (const path of listNotes(notes, home)) {
    const text = readNoteText(path, MAX_NOTE_BYTES);
    if (text === undefined || ids?.some((id) => text.includes(id)) === false) continue;
    const found = notes.read(basename(path), text);
    if (!found)
      throw new FileError(path, 'EBADDB', 'cannot be read: it is not as its agent writes it');
    for (const [id, reason] of found) pins.set(id, reason);
  }
  return pins;
}

function listNotes(
  { files, inEach: { directory, name } }: RowDialect['notes'],
  home: string,
): readonly string[] {
  const each = listNoteNames(join(home, directory));
  return [
    ...files.map((file) => getNotePath(home, file)),
    ...each.map((one) => join(home, directory, one, name)),
  ];
}
