/** Exit codes; each `--help` lists those of its command. */
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

/** An error that the user or the system caused, not a bug: printed without a stack. */
export class CoppiceError extends Error {
  override readonly name: string = 'CoppiceError';
}

/** The command line, the configuration or the choice of sessions makes no sense: exit 2. */
export class UsageError extends CoppiceError {
  override readonly name = 'UsageError';
  /** The choices, a line each. */
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

/** A text is too long for a format; the message names the format, and others that take it. */
export class TooLongError extends RangeError {
  override readonly name = 'TooLongError';
}

/** Returns whether something was to become longer than a string, a buffer or a form can be; not a stack. */
export function isTooLong(error: unknown): boolean {
  if (error instanceof TooLongError) return true;
  return (
    error instanceof RangeError &&
    /^Invalid (?:string|array|typed array) length|allocation failed/.test(error.message)
  );
}

/** Codes, for programs, of the reasons why coppice did not use a file. */
export type OwnCode =
  | 'EARCHIVE'
  | 'EBADDB'
  | 'EBADZSTD'
  | 'ECHANGED'
  | 'EDEEP'
  | 'ELINK'
  | 'ENOSQLITE'
  | 'ETOOLONG'
  | 'ETRASH'
  | 'cancelled'
  | 'config-invalid'
  | 'cwd-unknown'
  | 'entry-ambiguous'
  | 'entry-cycle'
  | 'entry-not-user'
  | 'entry-orphan'
  | 'entry-sidechain'
  | 'entry-unknown'
  | 'entry-unloaded'
  | 'entry-without-id'
  | 'file-empty'
  | 'header-missing'
  | 'hook-failed'
  | 'in-use'
  | 'is-a-session'
  | 'not-a-file'
  | 'not-a-session'
  | 'not-supported'
  | 'session-empty'
  | 'session-unusable'
  | 'stopped'
  | 'summary-failed'
  | 'version-outdated'
  | 'version-unknown';

/** The names of errors of the system, as Node gives them; `EUNKNOWN` for one of which it has no name. */
export type Errno =
  | 'E2BIG'
  | 'EACCES'
  | 'EADDRINUSE'
  | 'EADDRNOTAVAIL'
  | 'EAFNOSUPPORT'
  | 'EAGAIN'
  | 'EALREADY'
  | 'EBADF'
  | 'EBADMSG'
  | 'EBUSY'
  | 'ECANCELED'
  | 'ECHILD'
  | 'ECONNABORTED'
  | 'ECONNREFUSED'
  | 'ECONNRESET'
  | 'EDEADLK'
  | 'EDESTADDRREQ'
  | 'EDOM'
  | 'EDQUOT'
  | 'EEXIST'
  | 'EFAULT'
  | 'EFBIG'
  | 'EHOSTUNREACH'
  | 'EIDRM'
  | 'EILSEQ'
  | 'EINPROGRESS'
  | 'EINTR'
  | 'EINVAL'
  | 'EIO'
  | 'EISCONN'
  | 'EISDIR'
  | 'ELOOP'
  | 'EMFILE'
  | 'EMLINK'
  | 'EMSGSIZE'
  | 'EMULTIHOP'
  | 'ENAMETOOLONG'
  | 'ENETDOWN'
  | 'ENETRESET'
  | 'ENETUNREACH'
  | 'ENFILE'
  | 'ENOBUFS'
  | 'ENODATA'
  | 'ENODEV'
  | 'ENOENT'
  | 'ENOEXEC'
  | 'ENOLCK'
  | 'ENOLINK'
  | 'ENOMEM'
  | 'ENOMSG'
  | 'ENOPROTOOPT'
  | 'ENOSPC'
  | 'ENOSR'
  | 'ENOSTR'
  | 'ENOSYS'
  | 'ENOTCONN'
  | 'ENOTDIR'
  | 'ENOTEMPTY'
  | 'ENOTSOCK'
  | 'ENOTSUP'
  | 'ENOTTY'
  | 'ENXIO'
  | 'EOPNOTSUPP'
  | 'EOVERFLOW'
  | 'EPERM'
  | 'EPIPE'
  | 'EPROTO'
  | 'EPROTONOSUPPORT'
  | 'EPROTOTYPE'
  | 'ERANGE'
  | 'EROFS'
  | 'ESPIPE'
  | 'ESRCH'
  | 'ESTALE'
  | 'ETIME'
  | 'ETIMEDOUT'
  | 'ETXTBSY'
  | 'EUNKNOWN'
  | 'EWOULDBLOCK'
  | 'EXDEV';

export type ErrorCode = OwnCode | Errno;
