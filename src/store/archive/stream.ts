import { createReadStream } from 'node:fs';
import { open, rename, rm, stat, statfs, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Header, Pax } from 'tar';
import { FileError } from '../../errors.ts';
import { releaseAfter } from '../../session/jsonl/files/release-after.ts';
import { fileExists } from '../../session/jsonl/read/read-lines.ts';
import { INDEX_NAME } from '../output/made-names.ts';
import { attempt } from '../files/attempt.ts';
import { listMembers, NO_ARCHIVE } from './index/archive-index.ts';
import { ByteReader } from './byte-reader.ts';
import { getStateKind, isMemberName, toNameOfKind } from './member/manifest.ts';
import { isSound } from './member/read-member.ts';
import {
  BLOCK,
  encodeTarHeader,
  encodeTarPadding,
  isSize,
  MAX_LONG_BYTES,
  NOT_OURS,
  parseTarHeader,
  skipTarPadding,
  TAR_END,
} from './tar.ts';

/** Left free on the disk. */
const RESERVE_BYTES = 64 * 1024 * 1024;
const STREAM = 'standard input';

/** The members of an archive as one tar, which `tar -x` unpacks to an archive. */
export async function* encodeArchive(directory: string): AsyncGenerator<Uint8Array> {
  for (const member of await listMembers(directory)) {
    const path = join(directory, member);
    const { size, mtime } = await attempt(path, () => stat(path));
    yield encodeTarHeader({ path: member, size, mode: 0o600, mtime });
    for await (const chunk of createReadStream(path)) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no encoding is set
      yield chunk as Buffer;
    }
    yield encodeTarPadding(size);
  }
  yield TAR_END;
}

/**
 * Unpacks the members in a tar into an empty directory, with the indexes beside them, and nothing else: neither what
 * has another name, nor links. What they hold is for their reader to check. Names choose no place, and nothing is written for
 * which the disk has no room.
 * @throws FileError for what is not a tar, or ends early.
 */
export async function receiveArchive(
  chunks: AsyncIterable<Uint8Array>,
  directory: string,
): Promise<void> {
  const reader = new ByteReader(toBuffers(chunks));
  const indexes = new ReceivedIndexes(directory);
  let hasEntries = false;
  for (;;) {
    const entry = await readEntry(reader);
    if (!entry) {
      if (!hasEntries) throw damaged('is empty, or not a tar');
      if (indexes.isNone) throw damaged(NO_ARCHIVE);
      return indexes.join();
    }
    hasEntries = true;
    const { header, path } = entry;
    const { size = 0 } = header;
    if (!isSize(size)) throw damaged(NOT_OURS);
    const start = path.lastIndexOf('/') + 1;
    const [home, name] = [path.slice(0, start), path.slice(start)];
    const isPlain = header.type === 'File' || header.type === 'OldFile';
    const isLink = header.type === 'SymbolicLink' || header.type === 'Link';
    if (isLink) throw damaged(`refused: holds a link, ${name}`);
    if (isPlain && isMemberName(name)) {
      await receive(reader, directory, name, header);
      indexes.homes.add(home);
    } else if (isPlain && name === INDEX_NAME) {
      await receive(reader, directory, indexes.toPart(home), header);
    } else for await (const _ of reader.stream(size));
    await skipTarPadding(reader, size);
  }
}

/** The indexes in a tar: of several archives, or of one that is in it several times. */
class ReceivedIndexes {
  /** The directories in which members are. */
  readonly homes = new Set<string>();
  readonly #directory: string;
  /** The directories that they were in; each is kept by its number until all members are known. */
  readonly #parts: string[] = [];

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Whether nothing that was received is of an archive. */
  get isNone(): boolean {
    return this.homes.size + this.#parts.length === 0;
  }

  toPart(home: string): string {
    return `${INDEX_NAME}.${this.#parts.push(home) - 1}`;
  }

  /** Joins those beside members: a file of the name elsewhere is somebody's own. */
  async join(): Promise<void> {
    const path = join(this.#directory, INDEX_NAME);
    for (const [at, home] of this.#parts.entries()) {
      const part = `${path}.${at}`;
      await attempt(part, async () => {
        if (this.homes.has(home)) {
          await writeFile(path, createReadStream(part), { flag: 'a' });
          await writeFile(path, '\n', { flag: 'a' });
        }
        await rm(part);
      });
    }
  }
}

interface Entry {
  readonly header: Header;
  readonly path: string;
}

async function readEntry(reader: ByteReader): Promise<Entry | undefined> {
  let long: string | undefined;
  let extended: ConstructorParameters<typeof Header>[2] = {};
  for (;;) {
    const block = await reader.take(BLOCK);
    if (block.length === 0) return undefined;
    if (block.length < BLOCK) throw damaged('is damaged: ends early');
    const header = parseTarHeader(block, extended);
    if (!header) throw damaged(NOT_OURS);
    if (header.nullBlock) return undefined;
    if (!header.cksumValid) throw damaged(NOT_OURS);
    const isLong = header.type === 'NextFileHasLongPath';
    const isExtended = header.type === 'ExtendedHeader';
    if (!isLong && !isExtended && header.type !== 'GlobalExtendedHeader') {
      return { header, path: long ?? header.path ?? '' };
    }
    const { size = 0 } = header;
    if (!isSize(size) || size > MAX_LONG_BYTES) throw damaged(NOT_OURS);
    const text = (await reader.take(size)).toString('utf8');
    await skipTarPadding(reader, size);
    if (isLong) [long] = text.split('\0', 1);
    else if (isExtended) extended = Pax.parse(text);
  }
}

async function receive(
  reader: ByteReader,
  directory: string,
  name: string,
  { size = 0, mtime }: Header,
): Promise<void> {
  const { bavail, bsize } = await attempt(directory, () => statfs(directory));
  if (size + RESERVE_BYTES > bavail * bsize) {
    throw new FileError(directory, 'ENOSPC', `no space for the ${size} bytes of ${name}`);
  }
  // A state that another run was about to remove has no other copy here.
  const own = getStateKind(name) === 'leaving' ? toNameOfKind(name, 'moved') : name;
  const path = join(directory, own);
  const part = `${path}.part`;
  const file = await attempt(part, () => open(part, 'wx', 0o600));
  let bytes = 0;
  await releaseAfter(
    async () => {
      for await (const chunk of reader.stream(size)) {
        bytes += chunk.length;
        await attempt(part, () => file.writeFile(chunk));
      }
    },
    () => attempt(part, () => file.close()),
  );
  if (bytes < size) throw damaged('is damaged: ends early');
  // The time shows which state was archived last.
  const time = mtime && Number.isFinite(mtime.getTime()) ? mtime : new Date(0);
  await attempt(part, () => utimes(part, time, time));
  await attempt(path, () => keepOne(part, path));
}

/**
 * Gives a file its name. Several archives may have one state, and one archive may have it twice, as a killed run
 * leaves it: of those, a sound one is kept, with the later time.
 */
async function keepOne(part: string, path: string): Promise<void> {
  const isIndex = basename(path).startsWith(INDEX_NAME);
  if (isIndex || !(await fileExists(path)) || !(await isSound(path))) return rename(part, path);
  const [before, now] = [await stat(path), await stat(part)];
  if (now.mtimeMs > before.mtimeMs && (await isSound(part))) return rename(part, path);
  return rm(part);
}

async function* toBuffers(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}

function damaged(what: string): FileError {
  return new FileError(STREAM, 'EARCHIVE', what);
}
