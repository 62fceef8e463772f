import { changedError } from '../files/file-error.ts';
import { isSameState } from '../files/identity/file-stamp.ts';
import { readState } from '../files/sync-calls.ts';
import { type FileSpan, openSpans, type SpanReader } from '../read/spans/read-spans.ts';
import { isCompressed } from '../zstd/is-compressed.ts';
import { composeFile, type Piece, type SourceState } from './compose-file.ts';

const LF = Buffer.from('\n');

/**
 * The bytes of a file that is made of lines of several others, or of a compressed one, each ended by
 * LF. A piece names the file that it is in, or is in the first source.
 * @throws FileError as `composeFile`: a source may have grown, where it is not compressed.
 */
export async function* composeFiles(
  [first, ...others]: readonly [SourceState, ...SourceState[]],
  pieces: Iterable<Piece>,
): AsyncGenerator<Buffer> {
  if (others.length === 0 && !isCompressed(first.path)) {
    yield* composeFile(first, pieces);
    return;
  }
  const sources = [first, ...others];
  for (const source of sources) requireSame(source);
  const reader = openSpans(first.path);
  try {
    for (const piece of pieces) {
      yield 'text' in piece ? Buffer.from(piece.text) : await readPiece(reader, piece);
      yield LF;
    }
  } finally {
    reader.close();
  }
  for (const source of sources) requireSame(source);
}

async function readPiece(
  reader: SpanReader,
  piece: Exclude<Piece, { readonly text: string }>,
): Promise<Buffer> {
  const read = (span: FileSpan): Promise<Buffer> => reader.read(span, (view) => Buffer.from(view));
  if ('spans' in piece) {
    const lines: Buffer[] = [];
    for (const span of piece.spans) lines.push(await read(span));
    return piece.join(lines);
  }
  const bytes = await read(piece.span);
  return piece.change ? piece.change(bytes) : bytes;
}

/** Requires that the bytes that were read of a source are unchanged. */
function requireSame({ path, stamp, sum }: SourceState): void {
  const now = readState(path);
  if (isSameState(now, stamp)) return;
  const hasGrown = now.dev === stamp.dev && now.ino === stamp.ino && now.size >= stamp.size;
  if (hasGrown && sum?.isPrefixOfFile(path) === true && !isCompressed(path)) return;
  throw changedError(path, ': try again');
}
