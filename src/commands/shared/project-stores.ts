import { CoppiceError } from '../../errors.ts';
import { toPlainLine } from '../../report/text/escape.ts';
import { formatPath } from '../../report/text/paths.ts';
import { findStoresOfProject } from '../../store/find/roots.ts';
import { readSettings } from '../../store/settings/settings.ts';
import type { Context } from '../command.ts';
import type { SelectionArgs } from './select.ts';

/**
 * Names on stderr the store that the project in the working directory has its agent use. A command
 * that changes or removes leaves it out unless the command line names it: a checkout of somebody
 * else's must not choose what is removed.
 */
export async function noteProjectStores(
  { store, quiet }: Pick<SelectionArgs, 'store' | 'quiet'>,
  context: Context,
): Promise<void> {
  if (store?.length || quiet) return;
  const note = (text: string): Promise<void> => context.terminal.err.write(`coppice: ${text}\n`);
  try {
    for (const { path, settings } of await findStoresOfProject({ ...context, readSettings })) {
      const [from, named] = [settings, path].map((one) => formatPath(one, context.home));
      await note(`${from}: sessions in ${named} are left out; to work on them: --store ${named}`);
    }
  } catch (error) {
    // Settings that cannot be read name no store, and end no run that does not follow them.
    if (!(error instanceof CoppiceError)) throw error;
    await note(toPlainLine(error.message));
  }
}
