import { dirname } from 'node:path';
import type { ErrorCode, ExitCode } from '../../errors.ts';
import {
  findInPlaceObstacle,
  changeInPlace,
  type InPlaceOutcome,
} from '../../session/fork/in-place.ts';
import type { Hooks } from '../../session/dialect/hooks/hooks.ts';
import { toPlainLine } from '../../report/text/escape.ts';
import type { Context } from '../command.ts';
import { runChanges } from '../shared/change-sessions.ts';
import type { ForkCommandRequest, InPlace } from './request.ts';

const WORDS = {
  verb: 'change',
  past: 'Changed',
  how: 'add --apply',
  unchanged: { one: 'has nothing to change', many: 'have nothing to change' },
} as const;

/** Runs `coppice fork --in-place`: changes sessions in their own files. */
export async function forkInPlace(
  request: ForkCommandRequest<InPlace>,
  hooks: Hooks,
  context: Context,
): Promise<ExitCode> {
  const { output, select, summarize, task } = request;
  const { to, change } = task;
  const { apply } = change;
  const options = { apply, summarize, ...hooks, world: context, signal: context.signal };
  const { exitCode, results } = await runChanges<'fork', InPlaceOutcome>(
    { select, output, change },
    {
      command: 'fork',
      words: WORDS,
      label: 'Changing',
      asked: '--in-place',
      findObstacle: (agent) => findInPlaceObstacle(agent, to),
      listDirectories: (sessions) => sessions.map(({ path }) => dirname(path)),
      start:
        () =>
        ({ path }) =>
          changeInPlace(path, to, options),
      toResult: (skipped) => skipped,
      refusals: REFUSALS,
    },
    context,
  );
  if (!output.quiet && output.format === 'table') await writeTexts(results, context);
  return exitCode;
}

/** Codes of errors that are about what a session holds, and not about its file. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set([
  'not-supported',
  'version-outdated',
  'version-unknown',
  'header-missing',
  'session-empty',
  'entry-unknown',
  'entry-ambiguous',
  'entry-not-user',
  'entry-orphan',
  'entry-cycle',
  'entry-without-id',
  'entry-sidechain',
  'entry-unloaded',
]);

/** Writes the text of each prompt that the leaf moved before, so that the user can reword it. */
async function writeTexts(
  results: readonly InPlaceOutcome[],
  { terminal }: Pick<Context, 'terminal'>,
): Promise<void> {
  for (const { text } of results) {
    if (text !== undefined) await terminal.err.write(`Text: ${toPlainLine(text)}\n`);
  }
}
