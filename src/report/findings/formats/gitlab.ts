import { toPlainLine } from '../../text/escape.ts';
import { formatJsonArray } from '../../text/escape-json.ts';
import { Fingerprints } from '../fingerprint.ts';
import type { FindingsReport } from '../format.ts';
import { toShownPath } from '../shown-path.ts';
import type { FindingLevel } from '../../../session/dialect/levels.ts';

type Severity = 'info' | 'minor' | 'major' | 'critical' | 'blocker';

const SEVERITIES: Readonly<Record<FindingLevel, Severity>> = {
  error: 'major',
  warning: 'minor',
  info: 'info',
};

/** A GitLab Code Quality report. A file that could not be read, or repaired, is in it as `critical`. */
export function* formatGitlab(report: FindingsReport): Generator<string> {
  yield* formatJsonArray(toQualityFindings(report));
  yield '\n';
}

function* toQualityFindings({ files, cwd }: FindingsReport): Generator<object> {
  for (const { path, problem, findings } of files) {
    const shown = toShownPath(path, cwd);
    const fingerprints = new Fingerprints(shown);
    if (problem) {
      const unreadable = { rule: problem.code, message: problem.message, line: 1 };
      yield toQualityFinding(unreadable, 'critical', shown, fingerprints.next(unreadable));
    }
    for (const finding of findings) {
      const severity = SEVERITIES[finding.level];
      yield toQualityFinding(finding, severity, shown, fingerprints.next(finding));
    }
  }
}

function toQualityFinding(
  { rule, message, line }: { rule: string; message: string; line: number },
  severity: Severity,
  path: string,
  fingerprint: string,
): object {
  return {
    description: toPlainLine(message),
    check_name: rule,
    fingerprint,
    severity,
    location: { path, lines: { begin: line } },
  };
}
