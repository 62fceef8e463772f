import { type BigIntStats, type Stats, statSync } from 'node:fs';

/** The device, inode, size, mtime and ctime of a file, times in milliseconds: two states of it differ in one of them. */
export type FileState = readonly [number, number, number, number, number];

/** The states of files by path; undefined where there is no regular file, or it could not be looked up. */
export type FileStates = ReadonlyMap<string, FileState | undefined>;

/** A file written less than this before it was looked at may change and keep its state. */
export const SETTLED_AFTER_MS = 2000;

/** The place of the size in a state. */
const SIZE = 2;

/** The place of the mtime in a state. */
const MTIME = 3;

/** Undefined where there is no regular file, or it cannot be looked up. */
export function readFileState(path: string): FileState | undefined {
  try {
    return toFileState(statSync(path));
  } catch {
    return undefined;
  }
}

/** Returns the state that these facts describe, equal for both kinds; undefined if they are not of a regular file. */
export function toFileState(stats: Stats | BigIntStats): FileState | undefined {
  if (!stats.isFile()) return undefined;
  if (!isBig(stats)) return [stats.dev, stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs];
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  return [Number(dev), Number(ino), Number(size), toMs(mtimeNs), toMs(ctimeNs)];
}

/** Returns whether a file has stood still for a while, at `now` (milliseconds). */
export function isSettled(state: FileState, now: number): boolean {
  return Math.abs(now - state[MTIME]) >= SETTLED_AFTER_MS;
}

/** The size of a file in bytes. */
export function getStateSize(state: FileState): number {
  return state[SIZE];
}

/** Returns whether a file is in the same state as before. */
export function isAsBefore(path: string, before: FileState | undefined): boolean {
  const state = readFileState(path);
  if (!state || !before) return state === before;
  return state.every((part, at) => part === before[at]);
}

function isBig(stats: Stats | BigIntStats): stats is BigIntStats {
  return typeof stats.size === 'bigint';
}

/** Rounds like Node, which has seconds, and nanoseconds from 0 on. */
function toMs(time: bigint): number {
  const rest = time % SECOND;
  const nanoseconds = rest < 0n ? rest + SECOND : rest;
  return Number((time - nanoseconds) / SECOND) * 1000 + Number(nanoseconds) / 1_000_000;
}

const SECOND = 1_000_000_000n;
