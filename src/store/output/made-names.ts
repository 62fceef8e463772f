/** The name of the index of an archive. It does not end in `.jsonl`: it must never be taken for a session. */
export const INDEX_NAME = 'index.ndjson';

/** The beginnings of the names of members, by the reason why a state is in the archive. */
export const MEMBER_PREFIXES = { moved: 's_', copied: 'b_', leaving: 'd_' } as const;
/** The digits of the hash in the name of a member. */
export const MEMBER_DIGITS = 24;

const MEMBER = /^([a-z]_)[A-Za-z0-9._-]*-([\da-f]+)\.tar\.gz$/;
/** The name of the record of an export, with the part as `-1of4`. */
export const RECORD_NAME = /^\.coppice-export((?:-\w+)?)\.json$/;

/** Returns the name of the record of a part of an export. */
export function toRecordName(part: string): string {
  return `.coppice-export${part}.json`;
}

/** Returns whether a name is that of a file which coppice makes for people, where they have asked for it. */
export function isMadeForPeople(name: string): boolean {
  return name === INDEX_NAME || RECORD_NAME.test(name) || isMember(name);
}

function isMember(name: string): boolean {
  const [, prefix, hash] = MEMBER.exec(name) ?? [];
  const isKind = Object.values(MEMBER_PREFIXES).some((one) => one === prefix);
  return isKind && hash?.length === MEMBER_DIGITS;
}
