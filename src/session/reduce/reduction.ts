import type { Entry } from '../model/entry.ts';
import { getString } from '../jsonl/edit/json.ts';
import type { Line } from '../jsonl/read/line-splitter.ts';
import { parseLine } from '../jsonl/read/parse-line.ts';
import {
  dropImage,
  extractImage,
  type ImageFiles,
  isPlaceholder,
  restoreImage,
} from '../model/text/image-block.ts';
import { type MemberEdit, spliceObject } from '../jsonl/edit/splice.ts';
import { type LineEdits, REPLACED } from './line-edits.ts';
import type { EntryReducerName, ImageMode, ReductionDialect } from '../dialect/reduction.ts';

export type ReducerName = EntryReducerName | 'images' | 'tool-output' | 'padding';

/** The effect of one reducer; bytes of the file, negative if it grows. */
export interface Saving {
  readonly reducer: ReducerName;
  readonly count: number;
  readonly bytes: number;
}

export interface LineReducers {
  readonly images: ImageMode | undefined;
  /** Bytes of UTF-8. */
  readonly toolOutput: number | undefined;
  /** Lines before this byte keep their images and outputs: another file has them, too. */
  readonly keepsUpTo?: number | undefined;
}

const LF = Buffer.from('\n');
const SPACE = 0x20;

/** Returns whether a line is the padding that a rewrite in steps leaves between two of them. */
function isPadding({ bytes, terminated }: Line): boolean {
  return terminated && bytes.every((byte) => byte === SPACE);
}

/** Makes the lines of one session smaller, and counts what that saves. Preview and run share it. */
export class Reduction {
  readonly #dialect: ReductionDialect;
  readonly #edits: LineEdits;
  readonly #reducers: LineReducers;
  readonly #files: ImageFiles;
  readonly #entries: ReadonlyMap<number, Entry>;
  readonly #lastLine: number;
  readonly #savings = new Map<ReducerName, { count: number; bytes: number }>();
  /** The sizes of the images that were taken out, by the names of their files. */
  readonly #imageSizes = new Map<string, number>();
  #trimmed = 0;
  /** Images to restore whose file is missing or changed. */
  missing = 0;

  constructor(
    dialect: ReductionDialect,
    entries: readonly Entry[],
    edits: LineEdits,
    reducers: LineReducers,
    files: ImageFiles,
  ) {
    this.#dialect = dialect;
    this.#edits = edits;
    this.#reducers = reducers;
    this.#files = files;
    // Entries of other files are not in this one.
    const own = entries.filter(({ file }) => file === undefined);
    this.#entries = new Map(own.map((entry) => [entry.line, entry]));
    this.#lastLine = own.at(-1)?.line ?? 0;
  }

  /** Returns a notice about lost abilities; undefined without one. */
  get notice(): string | undefined {
    const isLost = this.#trimmed > 0 || [...this.#savings.keys()].some((one) => REPLACED.has(one));
    return isLost ? this.#edits.trimNotice : undefined;
  }

  get savings(): readonly Saving[] {
    return [...this.#savings].map(([reducer, saving]) => ({ reducer, ...saving }));
  }

  /** The bytes of the files of images that were taken out. */
  get imageBytes(): number {
    return [...this.#imageSizes.values()].reduce((sum, size) => sum + size, 0);
  }

  /** Returns the replacement of a line, as `replaceFile` expects it. */
  readonly transform = (line: Line): readonly Buffer[] | undefined => {
    if (this.#dialect.cutting && isPadding(line)) {
      this.#count('padding', line.length + 1);
      return [];
    }
    const reducer = this.#edits.dropped.get(line.number);
    if (reducer) {
      this.#count(reducer, line.length + 1);
      return [];
    }
    const changed = this.#change(line);
    if (!changed) return undefined;
    return line.terminated ? [changed, LF] : [changed];
  };

  #change(line: Line): Buffer | undefined {
    const entry = this.#entries.get(line.number);
    if (!entry) return line.number > this.#lastLine ? this.#relinkLate(line) : undefined;
    const links = this.#edits.moved.get(line.number);
    const linked = links && this.#relink(line.bytes, links);
    const trimmed = this.#trim(linked ?? line.bytes, line.number) ?? linked;
    if (line.offset < (this.#reducers.keepsUpTo ?? 0)) return trimmed;
    const reduced = this.#changeImages(trimmed ?? line.bytes, line.number) ?? trimmed;
    return this.#cutOutput(reduced ?? line.bytes, entry) ?? reduced;
  }

  /** A line that was appended after the plan may be attached to an entry that goes. */
  #relinkLate(line: Line): Buffer | undefined {
    if (this.#edits.ancestors.size === 0 || !this.#dialect.keys) return undefined;
    const content = parseLine(line);
    const { parentId: key } = this.#dialect.keys;
    const parentId = content.kind === 'object' ? getString(content.value, key) : undefined;
    const moved = parentId === undefined ? undefined : this.#edits.ancestors.get(parentId);
    if (moved === undefined) return undefined;
    return this.#relink(line.bytes, [{ key, value: JSON.stringify(moved) }]);
  }

  /** A line with other links; every other byte is kept. */
  #relink(bytes: Buffer, edits: readonly MemberEdit[]): Buffer {
    return spliceObject(bytes, edits, { after: this.#dialect.keys?.id ?? '' }) ?? bytes;
  }

  #trim(bytes: Buffer, line: number): Buffer | undefined {
    if (!this.#edits.trimmed.has(line)) return undefined;
    const trimmed = this.#dialect.trimming?.trim(bytes);
    if (!trimmed) return undefined;
    this.#trimmed += 1;
    this.#count('superseded-state', bytes.length - trimmed.length);
    return trimmed;
  }

  #changeImages(bytes: Buffer, line: number): Buffer | undefined {
    const { images } = this.#reducers;
    if (!images) return undefined;
    let count = 0;
    const change = (block: Buffer): Buffer | undefined => {
      const changed = this.#changeImage(block, images);
      if (changed) count += 1;
      return changed;
    };
    const changed = this.#dialect.changeBlocks(bytes, change, this.#edits.superseded.has(line));
    if (changed) this.#count('images', bytes.length - changed.length, count);
    return changed;
  }

  #changeImage(block: Buffer, mode: ImageMode): Buffer | undefined {
    if (mode === 'extract') return this.#extractImage(block);
    if (mode === 'drop') return dropImage(block);
    const restored = restoreImage(block, this.#files);
    if (!restored && isPlaceholder(block)) this.missing += 1;
    return restored;
  }

  #extractImage(block: Buffer): Buffer | undefined {
    const { folder } = this.#files;
    const put = (name: string, bytes: Buffer): void => {
      this.#files.put(name, bytes);
      this.#imageSizes.set(name, bytes.length);
    };
    return extractImage(block, { folder, put });
  }

  #cutOutput(bytes: Buffer, entry: Entry): Buffer | undefined {
    const { toolOutput } = this.#reducers;
    if (toolOutput === undefined) return undefined;
    const cut = this.#dialect.cutOutput(bytes, entry, toolOutput);
    if (cut) this.#count('tool-output', bytes.length - cut.length);
    return cut;
  }

  #count(reducer: ReducerName, bytes: number, count = 1): void {
    const sum = this.#savings.get(reducer) ?? { count: 0, bytes: 0 };
    this.#savings.set(reducer, { count: sum.count + count, bytes: sum.bytes + bytes });
  }
}
