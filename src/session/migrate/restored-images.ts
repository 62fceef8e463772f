import type { LineProblem } from '../dialect/migration.ts';
import type { ReductionDialect } from '../dialect/reduction.ts';
import type { Piece } from '../jsonl/write/compose-file.ts';
import { formatCounted } from '../model/text/numbers.ts';
import {
  type ImageFiles,
  isPlaceholder,
  restoreImage,
  TAKEN_OUT,
} from '../model/text/image-block.ts';

/** The images that `compact` took out of a session, on their way into the lines of a new one. */
export class RestoredImages {
  readonly #files: Pick<ImageFiles, 'get'>;
  readonly #dialect: Pick<ReductionDialect, 'changeBlocks'>;
  #missing = 0;

  /** `files`: those of the session that they were taken out of; `dialect`: of the new one. */
  constructor(files: Pick<ImageFiles, 'get'>, dialect: Pick<ReductionDialect, 'changeBlocks'>) {
    this.#files = files;
    this.#dialect = dialect;
  }

  /** Puts each image whose file is there back into its line. */
  *restore(pieces: Iterable<Piece>): Generator<Piece> {
    for (const piece of pieces) yield this.#restorePiece(piece);
  }

  #restorePiece(piece: Piece): Piece {
    if ('text' in piece) {
      if (!piece.text.includes(TAKEN_OUT)) return piece;
      return { text: this.#restoreLines(Buffer.from(piece.text)).toString() };
    }
    if ('spans' in piece) {
      return { ...piece, join: (lines) => this.#restoreLines(piece.join(lines)) };
    }
    const { change } = piece;
    return change ? { ...piece, change: (bytes) => this.#restoreLines(change(bytes)) } : piece;
  }

  /** The images that the lines lack which were made. */
  get problems(): readonly LineProblem[] {
    if (this.#missing === 0) return [];
    const files = formatCounted(this.#missing, 'image file');
    const message = `${files} missing or changed: the texts that stand for them are kept`;
    return [{ line: 1, code: 'images-missing', message }];
  }

  #restoreLines(lines: Buffer): Buffer {
    if (!lines.includes(TAKEN_OUT)) return lines;
    const restored = lines
      .toString()
      .split('\n')
      .map((line) => this.#restoreLine(Buffer.from(line)));
    return Buffer.concat(restored.flatMap((line, at) => (at === 0 ? [line] : [LF, line])));
  }

  #restoreLine(line: Buffer): Buffer {
    const restore = (block: Buffer): Buffer | undefined => {
      const restored = restoreImage(block, this.#files);
      if (!restored && isPlaceholder(block)) this.#missing += 1;
      return restored;
    };
    return this.#dialect.changeBlocks(line, restore, false) ?? line;
  }
}

const LF = Buffer.from('\n');
