/** The name of the index of an archive. It does not end in `.jsonl`: it must never be taken for a session. */
export const INDEX_NAME = 'index.ndjson';

const MEMBER = /^[bds]_[A-Za-z0-9._-]*-[\da-f]{24}\.tar\.gz$/;
/** The name of the record of an export, with the part as `-1of4`. */
export const RECORD_NAME = /^\.coppice-export((?:-\w+)?)\.json$/;

/** Returns whether a name is that of a file which coppice makes for people, where they have asked for it. */
export function isMadeForPeople(name: string): boolean {
  return name === INDEX_NAME || MEMBER.test(name) || RECORD_NAME.test(name);
}
