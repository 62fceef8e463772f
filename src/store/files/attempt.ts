import { toFileError } from '../../session/jsonl/files/file-error.ts';

/** Does what may fail for reasons of the file system. `what`: the attempt, in the message. @throws FileError */
export async function attempt<T>(path: string, act: () => Promise<T>, what = 'write'): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw toFileError(error, path, what);
  }
}

/** Does synchronously what may fail, as `attempt`. @throws FileError */
export function attemptSync<T>(path: string, act: () => T, what = 'write'): T {
  try {
    return act();
  } catch (error) {
    throw toFileError(error, path, what);
  }
}
