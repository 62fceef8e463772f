import type { ExitCode } from '../../../errors.ts';
import { type FooterWords, formatActionFooter } from '../../../report/actions/footer.ts';
import { createActionColumns } from '../../../report/actions/table.ts';
import type { Column } from '../../../report/text/table.ts';
import {
  type ActionResult,
  isChange,
  isStopped,
  sumActions,
} from '../../../session/model/action.ts';
import type { JsonReport } from '../../../report/text/json.ts';
import type { Context } from '../../command.ts';
import type { ActionDocument } from './documents.ts';
import { reportIfUnwritten, reportProblems, writeMachineReport, writeTable } from './output.ts';
import type { OutputRequest } from '../requests.ts';
import type { FileProblem } from '../../../session/model/summary.ts';

export interface ActionReport<C extends string, T extends ActionResult> {
  readonly command: C;
  readonly applied: boolean;
  readonly results: readonly T[];
  /** Counts the bytes of a session that are kept in files beside the new one; by default, none are. */
  readonly countKept?: ((result: T) => number) | undefined;
  /** The columns; by default, those that all commands have. */
  readonly columns?: readonly Column<T>[] | undefined;
  readonly problems: readonly FileProblem[];
  readonly words: FooterWords;
  /** Returns whether a result is in the table; by default, every result is. */
  readonly isShown?: (result: T) => boolean;
}

/** Decides which results get a row: all but unchanged sessions that were not named, which the footer counts. */
export function hidesUnchanged(explicit: ReadonlySet<string>): (result: ActionResult) => boolean {
  return ({ action, path }) => action !== 'unchanged' || explicit.has(path);
}

/** Lists the failures among results, in the form of problems. */
export function listFailures(results: readonly ActionResult[]): readonly FileProblem[] {
  const failed = results.filter(({ action }) => action === 'fail');
  return failed.map(({ path, reasons }) => {
    return { path, problem: { code: 'fail', message: reasons.join(', ') } };
  });
}

/** Shows what was or would be done, and returns the exit code. */
export async function reportActions<C extends string, T extends ActionResult>(
  report: ActionReport<C, T>,
  request: OutputRequest,
  context: Context,
): Promise<ExitCode> {
  const { command, applied, results, problems, words, columns, isShown = () => true } = report;
  const summary = sumActions(results, applied, report.countKept);
  const document: JsonReport<ActionDocument<C, T>> = {
    command,
    results: [...results, ...problems],
    summary,
  };
  if (!(await writeMachineReport(document, request, context))) {
    // The account of what was changed is a result; a preview and a summary are not.
    const quietly = applied ? results.filter(isChange) : [];
    // Failures are reported on stderr, and not in the table as well; sessions that were not reached are counted.
    const isRow = (one: T): boolean => one.action !== 'fail' && !isStopped(one) && isShown(one);
    const shown = request.quiet ? quietly : results.filter(isRow);
    await writeTable(shown, columns ?? createActionColumns(context.home), request, context);
    if (!request.quiet) {
      const changes = results.filter(isChange).length;
      const stopped = results.filter(isStopped).length;
      const footer = formatActionFooter(summary, { changes, stopped }, words);
      await context.terminal.out.write(footer);
    }
  }
  const exitCode = await reportProblems([...listFailures(results), ...problems], context);
  await reportIfUnwritten(applied ? results.filter(isChange) : [], context);
  return exitCode;
}
