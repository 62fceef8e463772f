import { type Outcome, runBatch } from '../../batch/run-batch.ts';
import { UsageError } from '../../errors.ts';
import type { FoundFile } from '../../store/select/found-file.ts';
import type { Context } from '../command.ts';
import { toProblem } from '../../store/select/found-file.ts';
import type { FileProblem } from '../../session/model/summary.ts';
import { findChosenFiles } from '../shared/select/sessions.ts';
import type { SelectionRequest } from '../shared/requests.ts';

/**
 * Reads the one session that an option is about; undefined, with the problem, where it cannot be read.
 * @throws UsageError where the targets are not one session.
 */
export async function readOneFile<T>(
  option: string,
  read: (path: string) => Promise<T>,
  request: SelectionRequest,
  context: Context,
): Promise<{ path: string; value: T | undefined; problems: readonly FileProblem[] }> {
  const { files, problems } = await findChosenFiles(request, context, {
    followsProject: true,
    which: 'listed',
  });
  const [file] = files;
  if (!file || files.length > 1) {
    throw new UsageError(
      `${option} shows one session, not ${files.length}: name its file or its id`,
    );
  }
  const { path } = file;
  const { signal } = context;
  const outcomes = await runBatch([file], () => read(path), { jobs: 1, signal });
  const [outcome]: readonly Outcome<FoundFile, T>[] = outcomes;
  if (outcome?.ok) return { path, value: outcome.value, problems };
  const own = outcome ? [toProblem(outcome.error)] : [];
  return { path, value: undefined, problems: [...problems, ...own] };
}
