import { dirname } from 'node:path';
import { runBatch } from '../../../batch/run-batch.ts';
import { FileError } from '../../../errors.ts';
import { findPathBefore, isLeftBehind } from '../../../session/jsonl/files/temp-file.ts';
import { fileExists } from '../../../session/jsonl/read/read-lines.ts';
import { isCompressed, withoutCompression } from '../../../session/jsonl/zstd/is-compressed.ts';
import { restoreLeftNames } from '../../../session/jsonl/write/set-aside.ts';
import type { FileProblem } from '../../../session/model/summary.ts';
import { type FoundFile, toProblem } from '../../../store/select/found-file.ts';
import type { Context } from '../../command.ts';
import { splitOutcomes } from '../run-sessions.ts';
import type { ChangeRequest, SelectionRequest } from '../requests.ts';
import { type FoundFiles, findStoreFiles } from './files.ts';

interface RestoreRequest {
  readonly select: SelectionRequest;
  readonly change: ChangeRequest;
}

/** Gives files their names back that killed runs have taken aside, in the directories of these. */
export async function restoreNamesBeside(
  paths: readonly string[],
  jobs: number,
  { now, signal }: Context,
): Promise<readonly FileProblem[]> {
  const directories = [...new Set(paths.map((path) => dirname(path)))];
  const put = (directory: string) => restoreLeftNames(directory, now());
  return splitOutcomes(await runBatch(directories, put, { jobs, signal })).problems;
}

/** Finds the sessions among files that killed runs have taken aside by their old names, which they get back. */
export async function restoreNames(
  found: FoundFiles,
  { change, select }: RestoreRequest,
  context: Context,
): Promise<FoundFiles> {
  const asides = found.files.filter(({ path }) => findPathBefore(path) !== undefined);
  if (asides.length === 0) return found;
  const left: FoundFile[] = [];
  for (const file of asides) if (await isLeftBehind(file.path, context.now())) left.push(file);
  const paths = left.map(({ path }) => path);
  const problems = change.apply
    ? await restoreNamesBeside(paths, select.jobs, context)
    : paths.map((path) => toProblem(new FileError(path, 'EEXIST', LEFT)));
  const back = new Map<string, FoundFile>();
  for (const file of change.apply ? left : []) {
    const path = findPathBefore(file.path) ?? '';
    if (!(await fileExists(file.path))) back.set(file.path, { ...file, path });
  }
  const files = found.files.flatMap((file) => {
    return findPathBefore(file.path) === undefined ? [file] : (back.get(file.path) ?? []);
  });
  const byPath = new Map(files.map((file) => [file.path, file]));
  // Agents read the plain one of two.
  for (const path of byPath.keys())
    if (isCompressed(path) && byPath.has(withoutCompression(path))) byPath.delete(path);
  return { files: [...byPath.values()], problems: [...found.problems, ...problems] };
}

/** Restores names among the selected files, and in the stores around them. */
export async function findRestored(
  selected: readonly FoundFile[],
  request: RestoreRequest,
  context: Context,
): Promise<{ readonly chosen: readonly FoundFile[]; readonly stored: FoundFiles }> {
  const { files: chosen } = await restoreNames({ files: selected, problems: [] }, request, context);
  const stored = await findStoreFiles(request.select, context);
  return { chosen, stored: await restoreNames(stored, request, context) };
}

const LEFT = 'was renamed by an interrupted run; --apply restores its name';
