import { FileError } from '../../errors.ts';
import { type FileProblem, toProblem } from './select.ts';

/** Does what concerns no session of its own; a file that refuses is told of, and ends nothing. */
export async function collectProblem(act: () => Promise<void>): Promise<readonly FileProblem[]> {
  try {
    await act();
    return [];
  } catch (error) {
    if (error instanceof FileError) return [toProblem(error)];
    throw error;
  }
}
