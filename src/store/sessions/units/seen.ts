import { FileError } from '../../../errors.ts';

/** A fact about a session, and the reason against removing it; `failure`: the error that is the reason. */
export type Seen<T> = T & {
  readonly obstacle?: string | undefined;
  readonly failure?: FileError | undefined;
};

/** Looks something up about a session. It is `otherwise` where that fails, which is a reason against removing it. */
export function orObstacle<T extends object>(otherwise: T, look: () => Seen<T>): Seen<T> {
  try {
    return look();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { ...otherwise, obstacle: `${error.path}: ${error.message}`, failure: error };
  }
}

/** Lists the errors among what was seen. */
export function listFailures(...found: readonly { readonly failure?: FileError | undefined }[]) {
  return found.flatMap(({ failure }) => failure ?? []);
}
