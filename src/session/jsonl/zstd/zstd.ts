/** The functions of zstd's own library, compiled to WebAssembly; sizes and places are bytes of its memory. */
export interface Zstd {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly malloc: (size: number) => number;
  readonly free: (place: number) => void;
  readonly ZSTD_createDCtx: () => number;
  readonly ZSTD_freeDCtx: (context: number) => number;
  /** Returns how many bytes it would like to have next, 0 at the end of a frame; less than 0 for an error. */
  readonly ZSTD_decompressStream: (context: number, output: number, input: number) => number;
}

/** An instance whose memory has grown further than this is not used again, so that it is given back. */
const MEMORY_TO_KEEP = 32 * 1024 * 1024;

const idle: Zstd[] = [];
let loading: Promise<WebAssembly.Module> | undefined;

/** An instance of the library, whose memory no one else has. */
export async function takeZstd(): Promise<Zstd> {
  const take = await loadZstd();
  return take();
}

/**
 * Loads the library; the function takes an instance each time. Node has a zstd of its own since 22.15 only,
 * and not one that gives a part of the text at a time to who cannot wait; so there is one way for all.
 */
export async function loadZstd(): Promise<() => Zstd> {
  loading ??= loadModule();
  const module = await loading;
  // The only thing it asks for is a call when its memory has grown; we look at it again each time.
  const imports = { env: { emscripten_notify_memory_growth: () => undefined } };
  const make = (): Zstd =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the functions that the library exports
    new WebAssembly.Instance(module, imports).exports as unknown as Zstd;
  return () => idle.pop() ?? make();
}

/**
 * Gives a module to a later caller; call this once for each that was taken, with everything freed that
 * was allocated there.
 */
export function giveBackZstd(zstd: Zstd): void {
  if (zstd.memory.buffer.byteLength <= MEMORY_TO_KEEP) idle.push(zstd);
}

/** The package decodes whole streams; what it is compiled from can also be stopped, and checked. */
async function loadModule(): Promise<WebAssembly.Module> {
  // Most runs need none of it.
  const { ZSTDDecoder } = await import('zstddec/stream');
  return new Promise((resolve, reject) => {
    class Loader extends ZSTDDecoder {
      override _init(result: WebAssembly.WebAssemblyInstantiatedSource): void {
        resolve(result.module);
        // oxlint-disable-next-line no-underscore-dangle -- the package's own name for it
        super._init(result);
      }
    }
    new Loader().init().catch(reject);
  });
}
