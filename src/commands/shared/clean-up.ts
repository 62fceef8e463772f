import { dirname } from 'node:path';
import { runBatch } from '../../batch/run-batch.ts';
import { removeStaleTempFiles } from '../../session/jsonl/files/temp-file.ts';
import type { Context } from '../command.ts';
import { splitOutcomes } from './run-sessions.ts';
import { toProblem } from '../../store/select/found-file.ts';
import type { FileProblem } from '../../session/model/summary.ts';
import { FileError } from '../../errors.ts';
import { orFileError } from '../../session/jsonl/files/file-error.ts';

/** Removes the temporary files of killed runs from the directories of files that this run will write. */
export function cleanUpBeside(
  paths: readonly string[],
  jobs: number,
  context: Context,
): Promise<readonly FileProblem[]> {
  return cleanUp(
    paths.map((path) => dirname(path)),
    jobs,
    context,
  );
}

/**
 * Removes the temporary files of killed runs from directories that this run will write to. If that
 * fails in one, it is reported, and the run continues.
 */
export async function cleanUp(
  directories: readonly string[],
  jobs: number,
  { now, signal }: Context,
): Promise<readonly FileProblem[]> {
  const outcomes = await runBatch(
    [...new Set(directories)],
    (directory) => removeStaleTempFiles(directory, now()),
    { jobs, signal },
  );
  return splitOutcomes(outcomes).problems;
}

/** Does work that belongs to no session; a FileError becomes a problem, and does not end the run. */
export async function collectProblem(act: () => Promise<void>): Promise<readonly FileProblem[]> {
  const failure = await orFileError(act);
  return failure instanceof FileError ? [toProblem(failure)] : [];
}
