import { join, parse, resolve, sep } from 'node:path';
import { listNames } from '../../session/jsonl/files/list-directory.ts';
import { statIfThere } from '../files/stat-file.ts';

/**
 * Returns whether a directory is there under names that differ from those of a path in their Unicode normal form only:
 * Claude Code since 2.1 writes NFC, whatever form the names have on the disk, as a disk or a copy from macOS has NFD.
 * @throws FileError where a directory on the way cannot be read.
 */
export function isSpelledOtherwise(path: string): boolean {
  if (isPlain(path)) return false;
  const { root } = parse(path);
  const names = resolve(path).slice(root.length).split(sep);
  let places: readonly string[] = [root];
  for (const name of names) places = places.flatMap((place) => listSpellings(place, name));
  return places.some((place) => statIfThere(place)?.isDirectory());
}

/** Lists a path as it is, and in each normal form in which an agent may have named something after it. */
export function listSpelled(path: string): readonly string[] {
  return isPlain(path) ? [path] : [path, path.normalize('NFC'), path.normalize('NFD')];
}

/** Returns whether a text has one form only, as one of ASCII. */
function isPlain(text: string): boolean {
  return text.normalize('NFC') === text && text.normalize('NFD') === text;
}

function listSpellings(directory: string, name: string): readonly string[] {
  if (isPlain(name)) return [join(directory, name)];
  const form = name.normalize('NFC');
  const same = listNames(directory).filter((one) => one.normalize('NFC') === form);
  return same.map((one) => join(directory, one));
}
