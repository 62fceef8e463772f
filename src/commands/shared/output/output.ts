import { ExitCode, OutputError } from '../../../errors.ts';
import { formatJson, formatNdjson, type JsonReport } from '../../../report/text/json.ts';
import { formatPath } from '../../../report/text/paths.ts';
import { inPieces } from '../../../report/text/pieces.ts';
import type { Style } from '../../../report/text/style.ts';
import type { Column } from '../../../report/text/table.ts';
import { type ActionResult, STOPPED_CODE } from '../../../session/model/action.ts';
import { formatCount } from '../../../report/text/numbers.ts';
import { toPlainLine } from '../../../report/text/escape.ts';
import type { Context } from '../../command.ts';
import type { OutputRequest, SelectionRequest } from '../requests.ts';
import type { FileProblem } from '../../../session/model/summary.ts';

export async function getStyle(
  { color }: Pick<OutputRequest, 'color'>,
  context: Context,
  isTerminal = context.terminal.out.isTerminal,
): Promise<Style> {
  const { createStyle } = await import('../../../report/text/style.ts');
  return createStyle({ color, isTerminal, env: context.env });
}

/** Writes a report piece by piece, as fast as it is read. */
export async function writeAll(pieces: Iterable<string>, context: Context): Promise<void> {
  for (const piece of inPieces(pieces)) await context.terminal.out.write(piece);
}

/**
 * Writes a table for people, or nothing if there are no rows. Loads the layout only when it is needed.
 */
export async function writeTable<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  request: Pick<OutputRequest, 'color'>,
  context: Context,
): Promise<void> {
  const { formatTable } = await import('../../../report/text/table.ts');
  const style = await getStyle(request, context);
  const { columns: width } = context.terminal.out;
  await writeAll(await formatTable(rows, columns, { width, style }), context);
}

/** Writes one of the machine formats; returns false if the report is for people. */
export async function writeMachineReport(
  report: JsonReport,
  { format, fields }: Pick<OutputRequest, 'format' | 'fields'>,
  context: Context,
): Promise<boolean> {
  if (format === 'table') return false;
  const write = format === 'json' ? formatJson : formatNdjson;
  await writeAll(write(report, fields), context);
  return true;
}

/**
 * Names every file that could not be used on stderr, and returns the exit code. Those that a stopped run did not reach
 * are only counted: there may be thousands, and nothing is wrong with them.
 */
export async function reportProblems(
  problems: readonly FileProblem[],
  context: Context,
): Promise<ExitCode> {
  const met = problems.filter(({ problem }) => problem.code !== STOPPED_CODE);
  for (const { path, problem } of met) {
    const where = formatPath(path, context.home);
    await context.terminal.err.write(`coppice: ${where}: ${toPlainLine(problem.message)}\n`);
  }
  const left = problems.length - met.length;
  if (left > 0)
    await context.terminal.err.write(`coppice: stopped: ${formatCount(left)} not reached\n`);
  return problems.length > 0 ? ExitCode.partial : ExitCode.ok;
}

/** The change of a file, with its reasons. */
type Change = Pick<ActionResult, 'path' | 'reasons'> & { readonly action: string };

/**
 * Reports the changes on stderr if standard output could not be written. To be called last by a
 * command that changes files. @throws OutputError in that case
 */
export async function reportIfUnwritten(
  changes: readonly Change[],
  { terminal, home }: Pick<Context, 'terminal' | 'home'>,
): Promise<void> {
  const failure = await terminal.out.flush();
  if (failure === undefined || changes.length === 0) return;
  for (const { path, action, reasons } of changes) {
    const why = reasons.length > 0 ? `: ${toPlainLine(reasons.join(', '))}` : '';
    await terminal.err.write(`${action} ${formatPath(path, home)}${why}\n`);
  }
  throw new OutputError(failure, true);
}

/**
 * Writes only paths, for `$(…)` and `xargs`: byte for byte, except on a terminal, which would obey
 * some of them. Returns those that were left out: a name with a line feed would be two paths, of which
 * the second may be another file.
 */
export async function writePaths(
  paths: readonly string[],
  { isNul }: Pick<SelectionRequest, 'isNul'>,
  context: Context,
): Promise<readonly FileProblem[]> {
  const end = isNul ? '\0' : '\n';
  const { isTerminal } = context.terminal.out;
  const isSplit = (path: string): boolean => !isNul && !isTerminal && path.includes('\n');
  const whole = paths.filter((path) => !isSplit(path));
  await writeAll(
    whole.map((path) => `${isTerminal ? formatPath(path, '') : path}${end}`),
    context,
  );
  const message = 'left out: its name contains a line feed; add -0';
  return paths.filter(isSplit).map((path) => ({ path, problem: { code: 'line-feed', message } }));
}
