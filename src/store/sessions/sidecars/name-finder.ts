import { addTo } from '../../../session/model/tree/group-by.ts';

/** Finds which of some names are in a text. */
export type NameFinder = (text: Buffer) => Iterable<string>;

/** Names of one length whose first dash is at one place, by their bytes as latin1. */
interface Shape {
  readonly dash: number;
  readonly length: number;
  readonly names: Map<string, string>;
}

const DASH = 0x2d;
/** How many bytes there are on each side of a dash that is looked at. */
const SIDE = 2;
/** The number of keys. */
const KEYS = 2 ** 16;

/**
 * Makes a finder that takes the same time for any number of names that have a dash with two bytes on each side, as the
 * words of a plan have: it looks at what is around each dash of a text.
 */
export function createNameFinder(names: readonly string[]): NameFinder {
  const byKey = new Map<number, Shape[]>();
  const isKey = new Uint8Array(KEYS);
  const others: string[] = [];
  for (const name of names) {
    const bytes = Buffer.from(name);
    const dash = bytes.indexOf(DASH, SIDE);
    if (dash < SIDE || dash + SIDE >= bytes.length) {
      others.push(name);
      continue;
    }
    const key = toKey(bytes, dash);
    isKey[key] = 1;
    addToShapes(byKey, key, { dash, bytes, name });
  }
  return function* find(text) {
    yield* others.filter((name) => text.includes(name));
    if (byKey.size === 0) return;
    const end = text.length - SIDE;
    for (let at = SIDE; at < end; at += 1) {
      if (text[at] !== DASH) continue;
      const key = toKey(text, at);
      if (isKey[key] === 1) yield* findAround(text, at, byKey.get(key) ?? []);
    }
  };
}

function addToShapes(
  byKey: Map<number, Shape[]>,
  key: number,
  { dash, bytes, name }: { readonly dash: number; readonly bytes: Buffer; readonly name: string },
): void {
  const { length } = bytes;
  const isAlike = (one: Shape): boolean => one.dash === dash && one.length === length;
  const known = byKey.get(key)?.find(isAlike);
  const shape = known ?? { dash, length, names: new Map<string, string>() };
  shape.names.set(bytes.toString('latin1'), name);
  if (!known) addTo(byKey, key, shape);
}

function* findAround(text: Buffer, at: number, shapes: readonly Shape[]): Iterable<string> {
  for (const { dash, length, names } of shapes) {
    const start = at - dash;
    const name = start < 0 ? undefined : names.get(text.toString('latin1', start, start + length));
    if (name !== undefined) yield name;
  }
}

/** Makes a key of the two bytes on each side of a dash. Those of different bytes may be the same. */
function toKey(bytes: Buffer, dash: number): number {
  const [a = 0, b = 0] = [bytes[dash - 2], bytes[dash - 1]];
  const [c = 0, d = 0] = [bytes[dash + 1], bytes[dash + 2]];
  return (a ^ (b << 8) ^ (c << 4) ^ (d << 6)) & (KEYS - 1);
}
