import type { Finding, Rule } from '../../../session/dialect/rule.ts';
import type { Problem } from '../../../session/model/summary.ts';
import { toPlainLine } from '../../text/escape.ts';
import { countFindings } from '../count-findings.ts';
import { escapeJson, formatJsonArray } from '../../text/escape-json.ts';
import { Fingerprints } from '../fingerprint.ts';
import type { FindingsReport } from '../format.ts';
import { toShownPath, toUri } from '../shown-path.ts';
import type { FindingLevel } from '../../../session/dialect/levels.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';
const LEVELS: Readonly<Record<FindingLevel, 'error' | 'warning' | 'note'>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
};

/** SARIF 2.1.0, one run. It holds no time, so that equal runs give equal files. */
export function* formatSarif(report: FindingsReport): Generator<string> {
  const rules = new Map(report.rules.map((rule) => [rule.id, rule]));
  const driver = {
    name: 'coppice',
    version: report.version,
    rules: [...rules.values()].map(toDescriptor),
  };
  yield `{"$schema":"${SCHEMA}","version":"2.1.0","runs":[{"tool":{"driver":`;
  yield escapeJson(JSON.stringify(driver));
  yield `},"invocations":${escapeJson(JSON.stringify([toInvocation(report)]))},"results":`;
  yield* formatJsonArray(toResults(report, [...rules.keys()]));
  yield '}]}\n';
}

function toDescriptor({ id, summary, help, level, fixable }: Rule): object {
  return {
    id,
    shortDescription: { text: summary },
    fullDescription: { text: help },
    help: { text: help },
    defaultConfiguration: { level: LEVELS[level] },
    properties: { fixable },
  };
}

function toInvocation(report: FindingsReport): object {
  const { unreadable, unrepaired } = countFindings(report);
  const problems = [...unreadable, ...unrepaired];
  return {
    executionSuccessful: problems.length === 0,
    toolExecutionNotifications: problems.map(({ path, problem }) =>
      toNotification(problem, toArtifact(path, report.cwd)),
    ),
  };
}

function toNotification({ code, message }: Problem, artifactLocation: object): object {
  return {
    descriptor: { id: code },
    level: 'error',
    message: toMessage(message),
    locations: [{ physicalLocation: { artifactLocation } }],
  };
}

function* toResults(report: FindingsReport, ruleIds: readonly string[]): Generator<object> {
  const indexes = new Map(ruleIds.map((id, index) => [id, index]));
  for (const { path, findings } of report.files) {
    const fingerprints = new Fingerprints(toShownPath(path, report.cwd));
    const artifact = toArtifact(path, report.cwd);
    for (const finding of findings) {
      const result = toResult(finding, artifact, fingerprints.next(finding));
      yield { ruleId: finding.rule, ruleIndex: indexes.get(finding.rule), ...result };
    }
  }
}

function toResult(
  { level, message, line, byteOffset, entryId, fixable, count }: Finding,
  artifactLocation: object,
  fingerprint: string,
): object {
  const region = { startLine: line, byteOffset };
  return {
    level: LEVELS[level],
    message: toMessage(message),
    ...(count !== undefined && { occurrenceCount: count }),
    locations: [{ physicalLocation: { artifactLocation, region } }],
    // The key is not `primaryLocationLineHash`: GitHub's uploader warns of each one it did not make itself.
    partialFingerprints: { 'coppiceFinding/v1': fingerprint },
    properties: { fixable, ...(entryId !== undefined && { entryId: toPlainLine(entryId) }) },
  };
}

function toArtifact(path: string, cwd: string): object {
  const uri = toUri(path, cwd);
  return uri.startsWith('file:') ? { uri } : { uri, uriBaseId: '%SRCROOT%' };
}

/** Text of a session must not become a link, `[text](target)`, or a placeholder, `{0}`. */
function toMessage(message: string): object {
  const plain = toPlainLine(message).replaceAll('](', '] (');
  return { text: plain.replace(/[{}]/g, '$&$&') };
}
