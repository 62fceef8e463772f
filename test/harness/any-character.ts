import fc from 'fast-check';

/** Code points that are no half of a surrogate pair. */
const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * Any character that UTF-8 can hold: what `unit: 'binary'` of fast-check means, which takes two seconds in
 * each process to list them all.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10_ffff - SURROGATES.count })
  .map((at) => String.fromCodePoint(at < SURROGATES.first ? at : at + SURROGATES.count));
