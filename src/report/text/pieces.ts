/** A write costs more than a short line: this many UTF-16 units make one worth it. */
const PIECE_LENGTH = 65_536;

/** Joins texts into fewer pieces, none of them empty, each at least `length` long but the last. */
export function* inPieces(texts: Iterable<string>, length = PIECE_LENGTH): Generator<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < length) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
