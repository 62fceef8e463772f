import { hash } from 'node:crypto';
import { isArray, type JsonValue } from '../../session/jsonl/edit/json.ts';

/**
 * A line of an index: `[directory, rows, shared, check]`. Each row begins with the name of a file, and the rows are
 * in the order of these names. `shared` has what many rows say, such as the working directory: they name its
 * place there. A line is ASCII, so that it is text without decoding. `check` shows whether it is as it was written:
 * then every row is of the form that this version writes.
 */
interface Block {
  readonly rows: readonly Row[];
  readonly shared: readonly JsonValue[];
}

export type Row = readonly JsonValue[];

/** How many files a block has: few enough to parse all for one, and enough to share what they say. */
const BLOCK_ROWS = 128;

/** Keeps a value once for all rows of a block, and returns its place there. */
export type Share = (value: unknown) => number;

/** Makes a row when its block is written. */
export type ToRow = (share: Share) => readonly unknown[];

/** The lines of a directory. `rows`: in the order of their names. */
export function* formatBlocks(
  directory: string,
  rows: readonly (readonly [string, ToRow])[],
): Generator<string> {
  for (let start = 0; start < rows.length; start += BLOCK_ROWS) {
    const shared = new Map<string, number>();
    const share: Share = (value) => {
      const text = JSON.stringify(value);
      const place = shared.get(text) ?? shared.size;
      shared.set(text, place);
      return place;
    };
    const own = rows.slice(start, start + BLOCK_ROWS).map(([, toRow]) => toRow(share));
    const text = `[${JSON.stringify(directory)},${JSON.stringify(own)},[${[...shared.keys()].join()}]`;
    yield `${seal(escapeAll(text))}\n`;
  }
}

/** Adds the check to a line that is whole but for that: a hash of all before it. */
export function seal(open: string): string {
  return `${open},"${hash('sha256', open).slice(0, 16)}"]`;
}

const SEAL_CHARACTERS = seal('').length;

/** Undefined for what is not a block as it was written. */
export function parseBlock(text: string): Block | undefined {
  if (seal(text.slice(0, -SEAL_CHARACTERS)) !== text) return undefined;
  const [, rows, shared] = parse(text) ?? [];
  return isArray(rows) && isArray(shared) ? { rows: rows.filter(isArray), shared } : undefined;
}

/** Reads the directory of a block and the name of its first file; undefined for what is not a block. */
export function readStartOfBlock(
  bytes: Buffer,
  start: number,
): { readonly directory: string; readonly first: string } | undefined {
  const directory = readText(bytes, start + 1);
  const first = directory && readText(bytes, directory.end + BETWEEN);
  return first && { directory: directory.text, first: first.text };
}

/** The length of what is between the two. */
const BETWEEN = ',[['.length;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Reads a text that begins with a quote, and its end behind one that no backslash escapes. */
function readText(
  bytes: Buffer,
  start: number,
): { readonly text: string; readonly end: number } | undefined {
  if (bytes[start] !== QUOTE) return undefined;
  let end = bytes.indexOf(QUOTE, start + 1);
  while (end !== -1 && isEscaped(bytes, end)) end = bytes.indexOf(QUOTE, end + 1);
  if (end === -1) return undefined;
  const text = bytes.toString('latin1', start + 1, end);
  if (!text.includes('\\')) return { text, end: end + 1 };
  const [parsed] = parse(`["${text}"]`) ?? [];
  return typeof parsed === 'string' ? { text: parsed, end: end + 1 } : undefined;
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let first = at;
  while (bytes[first - 1] === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

/** Writes all characters beyond ASCII as escapes. */
function escapeAll(json: string): string {
  return json.replaceAll(
    /[^\0-\u007f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function parse(text: string): readonly JsonValue[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed JSON enters here
    return Array.isArray(value) ? (value as JsonValue[]) : undefined;
  } catch {
    return undefined;
  }
}
