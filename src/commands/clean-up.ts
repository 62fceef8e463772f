import { dirname } from 'node:path';
import { runBatch } from '../batch/run-batch.ts';
import { removeStaleTempFiles } from '../session/jsonl/temp-file.ts';
import type { Context } from './command.ts';
import { type FileProblem, toProblem } from './select-sessions.ts';

/**
 * Removes what killed runs have left in the directories of files that are about to be written. A
 * directory where that fails is named; the run goes on.
 */
export async function cleanUpBeside(
  paths: readonly string[],
  jobs: number,
  { now, signal }: Context,
): Promise<readonly FileProblem[]> {
  const directories = [...new Set(paths.map((path) => dirname(path)))];
  const outcomes = await runBatch(
    directories,
    (directory) => removeStaleTempFiles(directory, now()),
    { jobs, signal },
  );
  return outcomes.flatMap((outcome) => (outcome.ok ? [] : [toProblem(outcome.error)]));
}
