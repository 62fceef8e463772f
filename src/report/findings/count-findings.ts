import type { FileProblem } from '../../session/model/summary.ts';
import type { Finding } from '../../session/dialect/rule.ts';
import type { FindingsReport } from './format.ts';

/** The numbers of a report, as the `summary` of the JSON document has them. */
export interface FindingsSummary {
  /** All that were asked for, the unreadable ones too. */
  readonly sessions: number;
  readonly sessionsWithFindings: number;
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  /** How many of the findings shown `--fix` would repair. */
  readonly fixable: number;
  /** Repaired by this run; with `--fix-dry-run` what would have been. */
  readonly fixed: number;
  readonly unreadable: readonly FileProblem[];
  /** Those that `--fix` could not write. */
  readonly unrepaired: readonly FileProblem[];
}

/** Returns how many findings a finding stands for. */
export function getCount({ count = 1 }: Finding): number {
  return count;
}

/** Counts in one pass. */
export function countFindings({
  files,
  fixed,
}: Pick<FindingsReport, 'files' | 'fixed'>): FindingsSummary {
  const levels = { error: 0, warning: 0, info: 0 };
  let sessionsWithFindings = 0;
  let fixable = 0;
  for (const { findings, isBeside } of files) {
    if (findings.length > 0 && !isBeside) sessionsWithFindings += 1;
    for (const finding of findings) {
      const count = getCount(finding);
      levels[finding.level] += count;
      if (finding.fixable) fixable += count;
    }
  }
  return {
    sessions: files.filter(({ isBeside }) => !isBeside).length,
    sessionsWithFindings,
    errors: levels.error,
    warnings: levels.warning,
    infos: levels.info,
    fixable,
    fixed: fixed?.count ?? 0,
    unreadable: listProblems(files.filter(({ isChecked }) => !isChecked)),
    unrepaired: listProblems(files.filter(({ isChecked }) => isChecked)),
  };
}

function listProblems(files: FindingsReport['files']): readonly FileProblem[] {
  return files.flatMap(({ path, problem }) => (problem ? [{ path, problem }] : []));
}
