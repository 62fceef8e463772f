import type fs from 'node:fs';

/** A call of the file system below the watched directory. */
export interface Call {
  /** From 1. */
  readonly number: number;
  /** As in C, mostly: `open`, `fsync`, `rename`. */
  readonly name: string;
  readonly path: string;
  /** The other path of a rename, a link or a copy; else empty. */
  readonly to: string;
  /** May make a new file. */
  readonly creates: boolean;
}

/** What becomes of a call. `torn`: half is written, then it fails; `short`: half is done, and well. */
export interface Fault {
  readonly code: 'EIO' | 'ENOSPC' | 'EACCES' | 'EMFILE' | 'EROFS' | 'EPERM' | 'EXDEV';
  readonly torn?: boolean;
  readonly short?: boolean;
}

export interface Watch {
  readonly root: string;
  /** Called before each call; undefined lets it happen. */
  readonly onCall: (call: Call) => Fault | undefined;
  /** Called after each call that was well, with what it gave. */
  readonly onDone?: (call: Call, result: unknown) => void;
}

export function startFaults(watch: Watch): void;

/** Ends the watch; the paths of files that are still open. */
export function stopFaults(): readonly string[];

/** The paths of files that are open now. */
export function listOpen(): readonly string[];

/** Node's own calls, which nobody watches. */
export const realFs: typeof fs;
