import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';

/** Makes a stream that compresses a given amount of text. */
type CreatePacker = (options: {
  readonly params: Readonly<Record<number, number>>;
  readonly pledgedSrcSize: number;
}) => Transform;

/** The default level, since Codex passes none. */
const LEVEL = 3;
/** `ZSTD_c_compressionLevel` of zstd's own library. */
const LEVEL_PARAMETER = 100;

/**
 * A stream that makes one zstd frame of this many bytes, byte for byte as Codex makes it; undefined where
 * Node has none, before 22.15. Those encoders in WebAssembly that are kept want the whole text at once.
 */
export function createPacker(size: number): Transform | undefined {
  const create: unknown = Reflect.get(zlib, 'createZstdCompress');
  if (typeof create !== 'function') return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- newer than the types of Node 20
  const createKnown = create as CreatePacker;
  return createKnown({ params: { [LEVEL_PARAMETER]: LEVEL }, pledgedSrcSize: size });
}

/** Returns whether this Node compresses. */
export function canPack(): boolean {
  return 'createZstdCompress' in zlib;
}
