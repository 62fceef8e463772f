import { join } from 'node:path';
import { FileError } from '../../../errors.ts';
import type { Place } from '../place.ts';
import type { Manifest, ManifestFile } from './manifest.ts';

/** A member whose files are about to get their names. */
export interface Unpacked {
  readonly member: string;
  readonly manifest: Manifest;
  readonly place: Place;
  /** The files that are not there yet, and where they are written. */
  readonly temps: ReadonlyMap<ManifestFile, string>;
}

/** The path where a file is as yet. */
export function toPath(
  { temps, place }: Pick<Unpacked, 'temps' | 'place'>,
  file: ManifestFile,
): string {
  return temps.get(file) ?? join(place.root, file.name);
}

/** The error for a member that holds anything but one session and what belongs to that. */
export function refuse(member: string, reason: string): FileError {
  return new FileError(member, 'EARCHIVE', `refused: ${reason}`);
}
