import { basename } from 'node:path';
import { Header, Pax } from 'tar';
import { FileError } from '../../errors.ts';
import type { ByteReader } from './byte-reader.ts';

/** The bytes of a block. */
export const BLOCK = 512;
/** Longer names are in a header of their own. */
const MAX_NAME = 99;
/** A long name needs a few hundred bytes; more would be somebody's trick. */
export const MAX_LONG_BYTES = 64 * 1024;
/** The fault of a tar whose headers are not as these functions write them. */
export const NOT_OURS = 'is damaged: not a tar that coppice wrote';

export interface TarEntry {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

export interface TarFile extends TarEntry {
  readonly mode: number;
  readonly mtime: Date;
}

/** The blocks that come before the bytes of a file: any tar can read them. */
export function encodeTarHeader({ path, size, mode, mtime }: TarFile): Buffer {
  // A tar holds whole seconds; the manifest knows the rest.
  const seconds = new Date(Math.max(0, Math.floor(mtime.getTime() / 1000)) * 1000);
  const header = new Header({ path, size, mode, mtime: seconds, type: 'File' });
  const block = Buffer.alloc(BLOCK);
  if (!header.encode(block)) return block;
  // Readers put a directory of the header before the long name, too: so this has none.
  const name = basename(path)
    .replaceAll(/[^ -~]/g, '_')
    .slice(0, MAX_NAME);
  const short = Buffer.alloc(BLOCK);
  new Header({ path: name, size, mode, mtime: seconds, type: 'File' }).encode(short);
  return Buffer.concat([new Pax({ path, size, mode, mtime: seconds }).encode(), short]);
}

/** The zeros that follow the bytes of a file. */
export function encodeTarPadding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}

/** The bytes at the end of a tar. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

/**
 * Reads the header of the next file; undefined at the end. Its bytes follow in the reader, then
 * `skipTarPadding`. Never holds more than a few blocks in memory.
 * @throws FileError for anything but a plain file.
 */
export async function readTarHeader(
  reader: ByteReader,
  from: string,
): Promise<TarEntry | undefined> {
  const damaged = (): FileError => new FileError(from, 'EARCHIVE', NOT_OURS);
  let header = await readHeader(reader, {}, damaged);
  if (header?.type === 'ExtendedHeader') {
    const { size } = header;
    if (!isSize(size) || size > MAX_LONG_BYTES) throw damaged();
    const body = await reader.take(size);
    await skipTarPadding(reader, size);
    header = await readHeader(reader, Pax.parse(body.toString('utf8')), damaged);
  }
  if (!header || header.nullBlock) return undefined;
  const { path, size, type, cksumValid } = header;
  const isPlain = cksumValid && (type === 'File' || type === 'OldFile');
  if (!isPlain || path === undefined || !isSize(size)) throw damaged();
  return { path, size };
}

/** Returns whether a header holds the size of a file: it can hold any number, or none. */
export function isSize(size: number | undefined): size is number {
  return Number.isSafeInteger(size) && Number(size) >= 0;
}

/** Skips the zeros after a file of this size. */
export async function skipTarPadding(reader: ByteReader, size: number): Promise<void> {
  await reader.take(encodeTarPadding(size).length);
}

type Extended = ConstructorParameters<typeof Header>[2];

async function readHeader(
  reader: ByteReader,
  extended: Extended,
  damaged: () => FileError,
): Promise<Header | undefined> {
  const block = await reader.take(BLOCK);
  if (block.length < BLOCK) return undefined;
  const header = parseTarHeader(block, extended);
  if (!header) throw damaged();
  return header;
}

/** A block as a header; undefined where no tar has such a one. */
export function parseTarHeader(block: Buffer, extended: Extended): Header | undefined {
  try {
    return new Header(block, 0, extended);
  } catch {
    // It throws for numbers that no tar has.
    return undefined;
  }
}
