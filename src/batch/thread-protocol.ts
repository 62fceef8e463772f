import type { ErrorCode } from '../errors.ts';
/** The work that a thread is given when it starts. */
export interface Assignment<S, I> {
  /** The name of the task. */
  readonly task: string;
  readonly setup: S;
  readonly items: readonly I[];
  /** Indexes of the items in the order in which they are begun. */
  readonly order: Uint32Array;
  /** One number, shared by all threads: how many items of the order have been taken. */
  readonly next: Int32Array;
}

/** Items that a thread has done since its last report. */
export type ThreadReport<T> = readonly ({ readonly index: number } & ThreadResult<T>)[];

/** An error crosses threads only as what it says. */
export type ThreadResult<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly path: string;
      readonly code: ErrorCode;
      readonly message: string;
    };

/** Sent to a thread that is to leave its work where that is safe. */
export const STOP = 'stop';
