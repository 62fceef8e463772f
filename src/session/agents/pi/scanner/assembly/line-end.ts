import {
  COMMA,
  LETTER_Z,
  LF,
  matches,
  NOWHERE,
  QUOTE,
  SPACE,
} from '../../../../jsonl/scanner/assembly/bytes';

/**
 * The text between the timestamp of an entry and its message: once in the line of a message, and hardly ever
 * elsewhere.
 */
export const SEAM: string = 'Z","mes';

/** The only seam of the line that was looked at last; nowhere if there is none, or more than one. */
export let seam: usize = NOWHERE;

/**
 * The LF that ends the line, while its seams are counted. Nowhere if there is none before `end`, or
 * if the line has another control character, which no string of JSON may hold.
 */
export function findLineEnd(at: usize, end: usize): usize {
  let seams = 0;
  seam = NOWHERE;
  for (; at < end; at += 64) {
    if (!isEventful(at)) continue;
    const controls = findControls(at);
    const line = controls === 0 ? -1 : (controls & -controls) - 1;
    for (let ends = findTimeEnds(at) & line; ends !== 0; ends &= ends - 1) {
      const place = at + (ctz(ends) as usize);
      if (!matches(place, SEAM)) continue;
      seams += 1;
      seam = seams === 1 ? place : NOWHERE;
    }
    if (controls === 0) continue;
    const lineEnd = at + (ctz(controls) as usize);
    return lineEnd < end && load<u8>(lineEnd) === LF ? lineEnd : NOWHERE;
  }
  return NOWHERE;
}

/** Returns whether there may be a control character or the end of a time in 64 bytes. */
function isEventful(at: usize): bool {
  const a = v128.load(at);
  const b = v128.load(at, 16);
  const c = v128.load(at, 32);
  const d = v128.load(at, 48);
  const least = i8x16.min_u(i8x16.min_u(a, b), i8x16.min_u(c, d));
  const z = i8x16.splat(LETTER_Z as i8);
  const quote = i8x16.splat(QUOTE as i8);
  const timeEnds = v128.or(
    v128.or(
      v128.and(i8x16.eq(a, z), i8x16.eq(v128.load(at, 1), quote)),
      v128.and(i8x16.eq(b, z), i8x16.eq(v128.load(at, 17), quote)),
    ),
    v128.or(
      v128.and(i8x16.eq(c, z), i8x16.eq(v128.load(at, 33), quote)),
      v128.and(i8x16.eq(d, z), i8x16.eq(v128.load(at, 49), quote)),
    ),
  );
  return v128.any_true(v128.or(i8x16.lt_u(least, i8x16.splat(SPACE as i8)), timeEnds));
}

/** Finds the control characters among 64 bytes, a bit each. */
function findControls(at: usize): i64 {
  return join(control(at), control(at + 16), control(at + 32), control(at + 48));
}

function control(at: usize): i32 {
  return i8x16.bitmask(i8x16.lt_u(v128.load(at), i8x16.splat(SPACE as i8)));
}

/** Finds the bytes among 64 that may end a timestamp, a bit each. */
function findTimeEnds(at: usize): i64 {
  return join(timeEnd(at), timeEnd(at + 16), timeEnd(at + 32), timeEnd(at + 48));
}

function timeEnd(at: usize): i32 {
  const z = i8x16.eq(v128.load(at), i8x16.splat(LETTER_Z as i8));
  const quote = i8x16.eq(v128.load(at, 1), i8x16.splat(QUOTE as i8));
  const comma = i8x16.eq(v128.load(at, 2), i8x16.splat(COMMA as i8));
  return i8x16.bitmask(v128.and(z, v128.and(quote, comma)));
}

/** One word of four sixteens of bits. */
function join(a: i32, b: i32, c: i32, d: i32): i64 {
  return ((((d << 16) | c) as i64) << 32) | (((b << 16) | a) as u32 as i64);
}
