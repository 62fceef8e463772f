import type { ErrorCode, ExitCode } from '../../errors.ts';
import {
  findInPlaceObstacle,
  changeInPlace,
  type InPlaceOutcome,
} from '../../session/fork/in-place.ts';
import type { Hooks } from '../../session/dialect/hooks/hooks.ts';
import { toPlainLine } from '../../report/text/escape.ts';
import { reportActions } from '../shared/output/report-actions.ts';
import { cleanUpBeside } from '../shared/clean-up.ts';
import type { Context } from '../command.ts';
import { changeSessions, type ChangeRun, requireAgent } from '../shared/guard.ts';
import { findSessions } from '../shared/select/sessions.ts';
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
  const { select, output, summarize } = request;
  const { to, change } = request.task;
  const { applies: apply, grace } = change;
  const found = await findSessions(select, context, { usage: false });
  const { sessions, linked, explicit } = found;
  requireAgent(sessions, '--in-place', (agent) => findInPlaceObstacle(agent, to));
  const own = sessions.filter(({ path }) => !linked.has(path)).map(({ path }) => path);
  const left = apply ? await cleanUpBeside(own, select.jobs, context) : [];
  const { signal } = context;
  const options = { apply, summarize, ...hooks, world: context, signal };
  const run: ChangeRun<InPlaceOutcome> = {
    label: 'Changing',
    jobs: select.jobs,
    grace,
    linked,
    applies: apply,
    change: ({ path }) => changeInPlace(path, to, options),
    toResult: (one) => one,
    explicit,
    refusals: REFUSALS,
  };
  const results = await changeSessions(sessions, run, context);
  const problems = [...found.problems, ...left];
  const report = { command: 'fork', applied: apply, results, problems, words: WORDS };
  const exitCode = await reportActions(report, output, context);
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
