import type { ErrorCode } from './error-codes.ts';

/** What the process tells its caller; every value is listed in each `--help`. */
export const ExitCode = {
  ok: 0,
  /** Ran, and found something: findings, or `--check` with something to do. */
  found: 1,
  /** Could not run: usage, configuration, no store. */
  unusable: 2,
  /** Ran; some sessions failed, the rest is done. */
  partial: 3,
  bug: 70,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** An error that is the user's or the world's, not ours: printed without a stack. */
export class CoppiceError extends Error {
  override readonly name: string = 'CoppiceError';
}

/** The command line, the configuration or the choice of sessions makes no sense: exit 2. */
export class UsageError extends CoppiceError {
  override readonly name = 'UsageError';
  /** What there is to choose from, a line each. */
  readonly details: readonly string[];

  constructor(message: string, options: ErrorOptions & { details?: readonly string[] } = {}) {
    super(message, options);
    this.details = options.details ?? [];
  }
}

/** Standard output could not be written. */
export class OutputError extends CoppiceError {
  override readonly name = 'OutputError';
  /** Whether files were changed before, so that the run cannot count as one that did nothing. */
  readonly hasChanged: boolean;

  constructor(reason: string, hasChanged: boolean) {
    super(`standard output: ${reason}`);
    this.hasChanged = hasChanged;
  }
}

/** A file could not be read or written. */
export class FileError extends CoppiceError {
  override readonly name = 'FileError';
  readonly path: string;
  readonly code: ErrorCode;

  constructor(path: string, code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.path = path;
    this.code = code;
  }
}

/** Whether something was to become longer than a string or a buffer can be; not a stack. */
export function isTooLong(error: unknown): boolean {
  return (
    error instanceof RangeError &&
    /^Invalid (?:string|array|typed array) length|allocation failed/.test(error.message)
  );
}
