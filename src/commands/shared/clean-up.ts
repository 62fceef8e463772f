import { dirname } from 'node:path';
import { runBatch } from '../../batch/run-batch.ts';
import { removeStaleTempFiles } from '../../session/jsonl/files/temp-file.ts';
import type { Context } from '../command.ts';
import { type FileProblem, toProblem } from './select.ts';
import { FileError } from '../../errors.ts';

/** Removes what killed runs have left in the directories of files that are about to be written. */
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
 * Removes what killed runs have left in directories that are about to be written to. One where that
 * fails is named; the run goes on.
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
  return outcomes.flatMap((outcome) => (outcome.ok ? [] : [toProblem(outcome.error)]));
}

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
