import { toPlainLine } from '../../text/escape.ts';
import { countFindings } from '../count-findings.ts';
import type { FindingsReport } from '../format.ts';
import { toShownPath } from '../shown-path.ts';
import { formatSummaryLine } from '../summary-line.ts';
import type { FindingLevel } from '../../../session/dialect/levels.ts';

type Command = 'error' | 'warning' | 'notice';

const COMMANDS: Readonly<Record<FindingLevel, Command>> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
};

const DATA = /[%\r\n]/g;
const PROPERTY = /[%\r\n:,]/g;
// Controls, what reorders text, line ends that are not encoded, and tags, which no one sees.
const STEERING =
  /[\p{Cc}\p{Bidi_Control}\p{Line_Separator}\p{Paragraph_Separator}\u{e0000}-\u{e007f}]/gu;

/**
 * GitHub Actions workflow commands, one for each finding. GitHub shows the first ten of a level
 * as annotations; the log has them all, and the summary.
 */
export function* formatGithub(report: FindingsReport): Generator<string> {
  for (const { path, problem, findings } of report.files) {
    if (!problem && findings.length === 0) continue;
    const file = escapeWith(PROPERTY, toShownPath(path, report.cwd));
    if (problem) yield formatAnnotation('error', `file=${file}`, problem.code, problem.message);
    for (const { level, line, rule, message } of findings) {
      yield formatAnnotation(COMMANDS[level], `file=${file},line=${line}`, rule, message);
    }
  }
  if (!report.quiet) yield `${formatSummaryLine(countFindings(report), report.fixed)}\n`;
}

function formatAnnotation(command: Command, where: string, title: string, message: string): string {
  const name = escapeWith(PROPERTY, toPlainLine(title));
  return `::${command} ${where},title=${name}::${escapeWith(DATA, toPlainLine(message))}\n`;
}

/**
 * Escapes a text in the way that the runner undoes; other characters that steer a terminal have no
 * effect in the log.
 */
function escapeWith(special: RegExp, text: string): string {
  return text.replace(special, (char) => encodeURIComponent(char)).replace(STEERING, '\ufffd');
}
