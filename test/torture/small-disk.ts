import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BIN, start } from './coppice.ts';

export interface SmallDisk {
  /** Bytes that are free beside what is on the disk. */
  readonly free: number;
  /** No file may get longer, where nobody may mount; in KiB. */
  readonly limit: number;
}

export interface SmallDiskRun {
  readonly exitCode: number | null;
  readonly out: string;
  readonly err: string;
  /** What the file system says of it. */
  readonly cause: 'no space left on the device' | 'file too large';
  /** A copy of the disk as it was afterwards. */
  readonly after: string;
}

// The disk: a file system of its own, with what lies in `before`.
const MOUNTED = `
  mkdir "$1/disk" && mount -t tmpfs -o size="$2" tmpfs "$1/disk" || exit 99
  cp -a "$1/before/." "$1/disk"
  cd "$1/disk" && shift 2 && "$@"
  code=$?
  cp -a . ../after && cd .. && umount disk; exit $code`;

// Works without any right: a limit on the size of files, whose signal is ignored.
const LIMITED = `
  cp -a "$1/before" "$1/disk" && cd "$1/disk" && trap '' XFSZ
  limit=$2; shift 2; (ulimit -f "$limit"; exec "$@")
  code=$?
  cp -a . ../after; exit $code`;

const PAGE = 4096;

/** Runs coppice in a copy of `dir`/before on a disk that is, or is about to be, full. */
export async function runOnSmallDisk(
  dir: string,
  bytes: number,
  args: readonly string[],
  { free, limit }: SmallDisk,
): Promise<SmallDiskRun> {
  const after = join(dir, 'after');
  mkdirSync(after);
  const size = Math.ceil(bytes / PAGE) * PAGE + free;
  const command = [process.execPath, BIN, ...args];
  const unshared = process.getuid?.() === 0 ? ['-m'] : ['-rm'];
  const shell = ['bash', '-c', MOUNTED, 'bash', dir, String(size), ...command];
  const mounted = await start('unshare', [...unshared, ...shell]).done;
  if (mounted.exitCode !== 99 && !mounted.err.startsWith('unshare')) {
    return { ...mounted, cause: 'no space left on the device', after };
  }
  const limited = await start('bash', ['-c', LIMITED, 'bash', dir, String(limit), ...command]).done;
  return { ...limited, cause: 'file too large', after };
}
