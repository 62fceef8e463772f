import type { Context } from '../command.ts';
import type { SelectionRequest } from '../shared/requests.ts';
import type { FoundFiles } from '../shared/select/files.ts';
import { findChosenFiles, noMatchError } from '../shared/select/sessions.ts';

/** Finds the sessions to fork. @throws UsageError where there is none: an empty answer would look like one. */
export async function findFilesToFork(
  select: SelectionRequest,
  context: Context,
): Promise<FoundFiles> {
  const found = await findChosenFiles(select, context, { which: 'listed' });
  const { files, problems } = found;
  // Another shard may have some.
  if (files.length + problems.length === 0 && !select.selection.shard) throw noMatchError('fork');
  return found;
}
