import type { JsonReport } from '../../report/text/json.ts';
import { ExitCode } from '../../errors.ts';
import type { CheckedFile, FindingsReport } from '../../report/findings/format.ts';
import { countFindings } from '../../report/findings/count-findings.ts';
import { findingsFormats } from '../../report/findings/formats/formats.ts';
import { formatSummary } from '../../report/findings/formats/pretty.ts';
import { createRuleColumns, toRuleResult } from '../../report/findings/rules.ts';
import { allRules } from '../../session/agents/index.ts';
import { formatPath } from '../../report/text/paths.ts';
import { type OutputFile, writeOutputFile } from '../../store/output/output-file.ts';
import { formatCounted } from '../../report/text/numbers.ts';
import { readVersion } from '../../package.ts';
import type { CheckedFiles } from './check.ts';
import type { Context } from '../command.ts';
import type { RulesDocument } from '../shared/output/documents.ts';
import {
  reportIfUnwritten,
  getStyle,
  reportProblems,
  writeAll,
  writeMachineReport,
  writeTable,
} from '../shared/output/output.ts';
import type { FindingsRequest } from './request.ts';
import type { RuleLevels } from '../../session/dialect/levels.ts';

/** Renders the findings, and returns the exit code. */
export async function reportFindings(
  { files, unrepaired, fixed, repaired }: CheckedFiles,
  { startedAt, outputFile }: { startedAt: number; outputFile: OutputFile | undefined },
  request: FindingsRequest,
  context: Context,
): Promise<ExitCode> {
  const { format, fields, quiet } = request;
  const report: FindingsReport = {
    files: quiet ? files.map(withErrorsOnly) : files,
    rules: allRules,
    cwd: context.cwd,
    home: context.home,
    version: readVersion(),
    startedAt,
    elapsedMs: context.now() - startedAt,
    fixed,
    fields,
    quiet,
    style: await getStyle(request, context),
  };
  if (outputFile) {
    const plain = { ...report, style: await getStyle(request, context, false) };
    await attempt(repaired, context, () =>
      writeOutputFile(outputFile, findingsFormats[format](plain), context.now()),
    );
    if (!quiet) await context.terminal.out.write(formatSummary(report));
  } else await writeAll(findingsFormats[format](report), context);
  await reportProblems(unrepaired, context);
  await reportIfUnwritten(
    repaired.map((path) => ({ path, action: 'repair', reasons: [] })),
    context,
  );
  return toExitCode(files, request.maxWarnings, context);
}

/** Leaves out all but errors, as `--quiet` of eslint does. */
function withErrorsOnly(file: CheckedFile): CheckedFile {
  const findings = file.findings.filter(({ level }) => level === 'error');
  return { ...file, findings, repaired: [] };
}

/** Names what was repaired where the report that would name it cannot be written. */
async function attempt(
  repaired: readonly string[],
  { terminal, home }: Context,
  write: () => Promise<void>,
): Promise<void> {
  try {
    await write();
  } catch (error) {
    for (const path of repaired) await terminal.err.write(`repair ${formatPath(path, home)}\n`);
    throw error;
  }
}

/** Says so if there are too many warnings: `--quiet` and some formats show none. */
async function toExitCode(
  files: readonly CheckedFile[],
  maxWarnings: number,
  { terminal }: Context,
): Promise<ExitCode> {
  const { errors, warnings } = countFindings({ files, fixed: undefined });
  const isOver = warnings > maxWarnings;
  if (isOver) {
    const found = formatCounted(warnings, 'warning');
    await terminal.err.write(`coppice: ${found}, more than --max-warnings ${maxWarnings}\n`);
  }
  if (files.some(({ problem }) => problem)) return ExitCode.partial;
  return errors > 0 || isOver ? ExitCode.found : ExitCode.ok;
}

/** Runs `coppice validate --list-rules`. */
export async function listRules(
  levels: RuleLevels,
  request: FindingsRequest,
  context: Context,
): Promise<ExitCode> {
  const { format } = request;
  const results = allRules.map((rule) => toRuleResult(rule, levels.get(rule.id) ?? rule.level));
  const asked = format === 'json' || format === 'ndjson' ? format : 'table';
  const report: JsonReport<RulesDocument> = {
    command: 'validate',
    results,
    summary: { rules: results.length },
  };
  if (!(await writeMachineReport(report, { ...request, format: asked }, context))) {
    await writeTable(results, createRuleColumns(), request, context);
  }
  return ExitCode.ok;
}
