import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../src/session/jsonl/edit/json.ts';
import { buildSession, type LineName, lineOf, toText } from './healthy-session.ts';

/** Fields to be put in; one that is undefined is left out when the line is written. */
type Changes = JsonObject;

function getRecord(name: LineName): JsonObject {
  return buildSession()[lineOf(name) - 1] ?? {};
}

function getMessage(name: LineName): JsonObject {
  const message = getRecord(name)['message'];
  return isObject(message) ? message : {};
}

/** The healthy session with other fields on one line. */
export function withFields(name: LineName, changes: Changes): string {
  return toText(buildSession().with(lineOf(name) - 1, { ...getRecord(name), ...changes }));
}

/** The healthy session with other fields in the message on one line. */
export function withMessage(name: LineName, changes: Changes): string {
  return withFields(name, { message: { ...getMessage(name), ...changes } });
}

/** The healthy session with other fields in the first block of the message on one line. */
export function withBlock(name: LineName, changes: Changes): string {
  const { content } = getMessage(name);
  const [first, ...others] = isArray(content) ? content : [];
  return withMessage(name, { content: [{ ...(isObject(first) && first), ...changes }, ...others] });
}

/** The healthy session with lines put before one, as they are; records as JSON. */
export function withLinesBefore(
  name: LineName | 'end',
  ...added: readonly (JsonValue | Buffer)[]
): Buffer {
  const records = buildSession();
  const at = name === 'end' ? records.length : lineOf(name) - 1;
  const toBytes = (line: JsonValue | Buffer): Buffer =>
    Buffer.isBuffer(line) ? Buffer.concat([line, Buffer.from('\n')]) : Buffer.from(toText([line]));
  return Buffer.concat([
    Buffer.from(toText(records.slice(0, at))),
    ...added.map(toBytes),
    Buffer.from(toText(records.slice(at))),
  ]);
}

/** The healthy session without one line. */
export function without(name: LineName): string {
  return toText(buildSession().toSpliced(lineOf(name) - 1, 1));
}

/** The bytes of one line of the healthy session, without its line feed. */
export function bytesOf(name: LineName): Buffer {
  return Buffer.from(JSON.stringify(buildSession()[lineOf(name) - 1]));
}

/** The healthy session with other bytes instead of one line; they bring their own line feed. */
export function withBytes(name: LineName, bytes: Buffer | string): Buffer {
  const records = buildSession();
  const at = lineOf(name) - 1;
  return Buffer.concat([
    Buffer.from(toText(records.slice(0, at))),
    Buffer.from(bytes),
    Buffer.from(toText(records.slice(at + 1))),
  ]);
}
