import { type JsonValue, parseJson } from './json.ts';
import { findClosing, readMembers, type Member } from './members.ts';

/** The edit of one member: a JSON text that replaces its value, or undefined to take it out. */
export interface MemberEdit {
  readonly key: string;
  readonly value: string | undefined;
}

export interface SpliceOptions {
  /** New members come after this one, in the order of the edits; at the front if it is not there. */
  readonly after?: string;
  /** The object to edit, by the keys that lead to it; the outermost unless given. */
  readonly at?: readonly string[];
}

/**
 * Edits members of a JSON object and keeps every other byte: number forms, escapes, duplicate keys
 * and white space survive, as they would not survive parsing and writing. Where a key stands twice
 * the last one counts, as in `JSON.parse`, and is the one that is set; all of them are taken out.
 *
 * `bytes` must be a line that `JSON.parse` accepts. Undefined when `at` leads to no object.
 */
export function spliceObject(
  bytes: Buffer,
  edits: readonly MemberEdit[],
  { after, at = [] }: SpliceOptions = {},
): Buffer | undefined {
  const start = findObject(bytes, at);
  if (start === undefined) return undefined;
  const members = readMembers(bytes, start);
  const end = findClosing(bytes, start);
  const parts = editMembers(bytes, members, edits, after);
  const inside = parts.flatMap((part, index) => (index === 0 ? [part] : [COMMA, part]));
  return Buffer.concat([bytes.subarray(0, start + 1), ...inside, bytes.subarray(end)]);
}

/** The bytes of a member's value; undefined where there is no such member. The last one counts. */
export function findValue(bytes: Buffer, path: readonly string[]): Buffer | undefined {
  return findValues(bytes, [path])[0];
}

/** A member's value, parsed; undefined where there is no such member. The last one counts. */
export function readValue(bytes: Buffer, path: readonly string[]): JsonValue | undefined {
  const found = findValue(bytes, path);
  return found && parseJson(found.toString('utf8'));
}

/** The values of the members that several paths lead to, if they are there. Each object is read once. */
export function findValues(bytes: Buffer, paths: readonly (readonly string[])[]): Buffer[] {
  const known = new Map<number, readonly Member[]>();
  const read = (start: number): readonly Member[] => {
    const members = known.get(start) ?? readMembers(bytes, start);
    known.set(start, members);
    return members;
  };
  return paths.flatMap((path) => {
    const start = findObject(bytes, path.slice(0, -1), read);
    const member = start === undefined ? undefined : findLast(read(start), path.at(-1));
    return member ? [bytes.subarray(member.valueStart, member.valueEnd)] : [];
  });
}

/** The object with another key for a member; the same bytes where there is no such member. */
export function renameMember(bytes: Buffer, from: string, to: string): Buffer {
  const start = findObject(bytes, []);
  const member = start === undefined ? undefined : findLast(readMembers(bytes, start), from);
  if (!member) return bytes;
  const keyStart = bytes.indexOf('"', member.start);
  const colon = bytes.lastIndexOf(':', member.valueStart);
  const keyEnd = bytes.lastIndexOf('"', colon) + 1;
  return Buffer.concat([
    bytes.subarray(0, keyStart),
    Buffer.from(JSON.stringify(to)),
    bytes.subarray(keyEnd),
  ]);
}

const COMMA = Buffer.from(',');

/** Each member with the white space around it, so that joining them with commas gives them back. */
function editMembers(
  bytes: Buffer,
  members: readonly Member[],
  edits: readonly MemberEdit[],
  after: string | undefined,
): Buffer[] {
  const values = new Map<Member, string>();
  const removed = new Set<string>();
  const added: Buffer[] = [];
  for (const { key, value } of edits) {
    const member = findLast(members, key);
    if (value === undefined) removed.add(key);
    else if (member) values.set(member, value);
    else added.push(Buffer.from(`${JSON.stringify(key)}:${value}`));
  }
  const anchor = findLast(members, after);
  const parts = anchor ? [] : [...added];
  for (const member of members) {
    if (!removed.has(member.key)) parts.push(setValue(bytes, member, values.get(member)));
    if (member === anchor) parts.push(...added);
  }
  return parts;
}

function setValue(bytes: Buffer, member: Member, value: string | undefined): Buffer {
  const { start, valueStart, valueEnd, end } = member;
  if (value === undefined) return bytes.subarray(start, end);
  const [before, behind] = [bytes.subarray(start, valueStart), bytes.subarray(valueEnd, end)];
  return Buffer.concat([before, Buffer.from(value), behind]);
}

/** Finds the start of the object that the keys lead to. */
function findObject(
  bytes: Buffer,
  path: readonly string[],
  read = (start: number): readonly Member[] => readMembers(bytes, start),
): number | undefined {
  let start: number | undefined = bytes.indexOf('{');
  for (const key of path) {
    if (start === undefined) return undefined;
    const value: number | undefined = findLast(read(start), key)?.valueStart;
    start = value !== undefined && bytes[value] === 0x7b ? value : undefined;
  }
  return start === -1 ? undefined : start;
}

function findLast(members: readonly Member[], key: string | undefined): Member | undefined {
  return members.findLast((member) => member.key === key);
}
