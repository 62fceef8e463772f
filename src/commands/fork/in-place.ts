import { type ExitCode, UsageError } from '../../errors.ts';
import {
  findInPlaceObstacle,
  forkInPlace as changeInPlace,
  type InPlaceOutcome,
} from '../../session/fork/in-place.ts';
import type { ForkStart, InPlaceRequest, LabelChange } from '../../session/dialect/forking.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { toPlainLine } from '../../report/text/escape.ts';
import { parseAge } from '../../store/select/age.ts';
import { applies, reportActions } from '../shared/report-actions.ts';
import { cleanUpBeside } from '../shared/clean-up.ts';
import type { Context } from '../command.ts';
import { changeSessions, type ChangeRun } from '../shared/guard.ts';
import { findSessions } from '../shared/select.ts';
import type { ForkArgs, HowToLeave } from './options.ts';

const WORDS = {
  verb: 'change',
  past: 'Changed',
  how: 'add --apply',
  unchanged: 'have nothing to change',
} as const;

/** `coppice fork --in-place`: sessions that are changed in their own files. */
export async function forkInPlace(
  args: ForkArgs,
  start: ForkStart,
  how: HowToLeave,
  context: Context,
): Promise<ExitCode> {
  const request = toRequest(args, start);
  const grace = parseAge(args.grace, '--grace', context.now());
  const apply = applies(args);
  const found = await findSessions(args, context, { usage: false });
  const { sessions, linked, explicit } = found;
  requirePlace(sessions, request);
  const own = sessions.filter(({ path }) => !linked.has(path)).map(({ path }) => path);
  const left = apply ? await cleanUpBeside(own, args.jobs, context) : [];
  const { signal } = context;
  const run: ChangeRun<InPlaceOutcome> = {
    label: 'Changing',
    jobs: args.jobs,
    grace,
    linked,
    change: ({ path }) => changeInPlace(path, request, { apply, ...how, world: context, signal }),
    toResult: (one) => one,
    // Of many that are selected, some need not have the entry; one that is named must.
    isSkip: ({ code }, { path }) => REFUSALS.has(code) && !explicit.has(path),
  };
  const results = await changeSessions(sessions, run, context);
  const problems = [...found.problems, ...left];
  const report = { command: 'fork', applied: apply, results, problems, words: WORDS };
  const exitCode = await reportActions(report, args, context);
  if (!args.quiet && args.format === 'table' && !args.json) await writeTexts(results, context);
  return exitCode;
}

/** Codes of errors that are about what a session holds, and not about its file. */
const REFUSALS: ReadonlySet<string> = new Set([
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
]);

function toRequest(args: ForkArgs, start: ForkStart): InPlaceRequest {
  const move = start.kind === 'at' || start.kind === 'before' ? start : undefined;
  return {
    move,
    summarizes: args.summarize,
    name: args.name,
    labels: (args.label ?? []).map(parseLabel),
  };
}

/** @throws UsageError for what is not `<entry>=<text>`. */
function parseLabel(text: string): LabelChange {
  const [, entry, label] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (entry !== undefined && label !== undefined) return { entry, text: label };
  throw new UsageError(`--label ${text}: expected <entry>=<text>; <entry>= removes the label`);
}

/** @throws UsageError where no session of the run has a place for what is asked for. */
function requirePlace(sessions: readonly SessionSummary[], request: InPlaceRequest): void {
  const obstacles = sessions.map(({ agent }) => findInPlaceObstacle(agent, request));
  const [obstacle] = obstacles;
  if (obstacle !== undefined && obstacles.every((one) => one !== undefined)) {
    throw new UsageError(`--in-place: ${obstacle}`);
  }
}

/** What a person asked, to be asked again in other words. */
async function writeTexts(
  results: readonly InPlaceOutcome[],
  { terminal }: Pick<Context, 'terminal'>,
): Promise<void> {
  for (const { text } of results) {
    if (text !== undefined) await terminal.err.write(`Text: ${toPlainLine(text)}\n`);
  }
}
