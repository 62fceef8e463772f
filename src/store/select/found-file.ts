import type { FileError } from '../../errors.ts';
import { describeError } from '../../session/model/action.ts';
import type { FileProblem } from '../../session/model/summary.ts';
import { isNoSession } from '../../session/read/no-session.ts';

/** A file that may be a session, which only its content shows. */
export interface FoundFile {
  readonly path: string;
  /** The user named it; it was not merely found in a directory. */
  readonly explicit: boolean;
  /** Reached through a symbolic link inside the directory that was searched. */
  readonly linked: boolean;
  /** The path by which its agent finds it, if that leads over a link: the agent keeps its notes there. */
  readonly alias?: string;
}

/** Lists the paths of the files that the user named. */
export function listExplicit(files: readonly FoundFile[]): ReadonlySet<string> {
  return new Set(files.filter(({ explicit }) => explicit).map(({ path }) => path));
}

/**
 * Lists files that must not be changed: they are outside of the store, and the user did not name them.
 */
export function listLinked(files: readonly FoundFile[]): ReadonlySet<string> {
  return new Set(files.filter(({ linked }) => linked).map(({ path }) => path));
}

export function toProblem({ path, code, message }: FileError): FileProblem {
  return { path, problem: { code, message } };
}

/** The problem of the session at a path, also where the error is about another file, as one that was to be written. */
export function toSessionProblem(error: FileError, path: string): FileProblem {
  return { path, problem: { code: error.code, message: describeError(error, path) } };
}

/** Lists the problem of a file that could not be used; none if `isPassedOver`. */
export function findProblems(
  file: Pick<FoundFile, 'path' | 'explicit'>,
  error: FileError,
): readonly FileProblem[] {
  return isPassedOver(file, error) ? [] : [toSessionProblem(error, file.path)];
}

/**
 * Returns whether a file was merely found, and is not a session, since stores hold such files, or is gone by now.
 */
export function isPassedOver(
  file: Pick<FoundFile, 'path' | 'explicit'>,
  error: FileError,
): boolean {
  const isGone = error.path === file.path && isGoneSince(file, error);
  return !file.explicit && (isNoSession(error) || isGone);
}

/** Returns whether a file was merely found, and another run has removed it since. */
export function isGoneSince(
  { explicit }: Pick<FoundFile, 'explicit'>,
  { code }: Pick<FileError, 'code'>,
): boolean {
  return code === 'ENOENT' && !explicit;
}
