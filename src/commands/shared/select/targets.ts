import { CoppiceError } from '../../../errors.ts';
import { summarizeSession } from '../../../session/read/summaries/summarize-session.ts';
import { findStoresOfProject } from '../../../store/find/roots.ts';
import { fits } from '../../../store/select/selection.ts';
import { describeShard } from '../../../store/select/shard.ts';
import { formatPath } from '../../../report/text/paths.ts';
import { createCompleter } from '../../../store/sessions/surroundings.ts';
import type { Narrowing } from '../../../store/find/targets.ts';
import type { Context } from '../../command.ts';
import type { SelectionRequest } from '../requests.ts';
import { toPlainLine } from '../../../report/text/escape.ts';

/**
 * Makes the check by which `--agent` and `--project` narrow an id, since several sessions may have
 * one; undefined without these options.
 */
export function createNarrowing(
  { selection: { agent, project } }: SelectionRequest,
  { signal, env }: Pick<Context, 'signal' | 'env'>,
): Narrowing | undefined {
  if (agent === undefined && project === undefined) return undefined;
  const complete = createCompleter({ env });
  const options = [
    ...(agent === undefined ? [] : [`--agent ${agent}`]),
    ...(project === undefined ? [] : [`--project ${project}`]),
  ];
  return {
    options: options.join(' '),
    async fits(path) {
      const summary = await summarizeSession(path, { usage: false, signal });
      return 'path' in summary && fits(await complete(summary), { agent, project });
    },
  };
}

/** Reports on stderr which part this run is, if the environment has stated it. */
export async function reportShard(
  { selection, quiet }: Pick<SelectionRequest, 'selection' | 'quiet'>,
  { terminal }: Pick<Context, 'terminal'>,
): Promise<void> {
  const found = describeShard(selection.shard);
  if (found !== undefined && !quiet) await terminal.err.write(`coppice: ${found}\n`);
}

/**
 * Names on stderr the store that the project in the working directory sets for its agent, if it is
 * none of the agents' own. A command that changes or removes does not use that store unless the
 * command line names it: a checkout of somebody else must not choose what is removed.
 */
export async function reportProjectStores(
  own: readonly string[],
  { quiet }: Pick<SelectionRequest, 'quiet'>,
  context: Context,
): Promise<void> {
  if (quiet) return;
  const report = (text: string): Promise<void> => context.terminal.err.write(`coppice: ${text}\n`);
  try {
    for (const { path, settings } of await findStoresOfProject(context, own)) {
      const [from, named] = [settings, path].map((one) => formatPath(one, context.home));
      await report(`${from}: sessions in ${named} are left out; to work on them: --store ${named}`);
    }
  } catch (error) {
    // Settings that cannot be read name no store, and end no run that does not follow them.
    if (!(error instanceof CoppiceError)) throw error;
    await report(toPlainLine(error.message));
  }
}
