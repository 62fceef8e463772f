import { formatCount, formatCounted } from '../text/numbers.ts';
import type { FindingsSummary } from './count-findings.ts';
import type { FindingsReport } from './format.ts';

/** Formats the findings of a run in up to three sentences, without text from sessions. */
export function formatSummaryLine(
  summary: FindingsSummary,
  fixed: FindingsReport['fixed'],
): string {
  return [
    describeFindings(summary, fixed),
    describeProblems(summary),
    describeRepairs(summary, fixed),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function describeFindings(summary: FindingsSummary, fixed: FindingsReport['fixed']): string {
  const { sessions, sessionsWithFindings, errors, warnings, infos, unreadable } = summary;
  const total = errors + warnings + infos;
  // Files that could not be read may have findings.
  if (total === 0) {
    const others = fixed && fixed.count > 0 ? 'no other problems' : 'no problems';
    return unreadable.length === 0 ? `${formatCounted(sessions, 'session')}, ${others}.` : '';
  }
  const levels = [
    ...(errors > 0 ? [formatCounted(errors, 'error')] : []),
    ...(warnings > 0 ? [formatCounted(warnings, 'warning')] : []),
    ...(infos > 0 ? [formatCounted(infos, 'info')] : []),
  ].join(', ');
  const where = `${formatCount(sessionsWithFindings)} of ${formatCounted(sessions, 'session')}`;
  return `${formatCounted(total, 'problem')} (${levels}) in ${where}.`;
}

function describeProblems({ sessions, unreadable, unrepaired }: FindingsSummary): string {
  const files = formatCounted(sessions, 'file');
  return [
    ...(unreadable.length > 0
      ? [`${formatCount(unreadable.length)} of ${files} could not be checked.`]
      : []),
    ...(unrepaired.length > 0
      ? [`${formatCount(unrepaired.length)} of ${files} could not be repaired.`]
      : []),
  ].join(' ');
}

function describeRepairs({ fixable }: FindingsSummary, fixed: FindingsReport['fixed']): string {
  // No full stop after an option: it would be copied along.
  if (!fixed) return fixable > 0 ? `${formatCount(fixable)} can be repaired: --fix` : '';
  const count = fixed.count > 0 ? formatCount(fixed.count) : 'Nothing';
  if (fixed.dryRun) return `${count} would be repaired${fixed.count > 0 ? ': --fix' : '.'}`;
  return `${count} ${fixed.count > 1 ? 'were' : 'was'} repaired.`;
}
