import { ExitCode, UsageError } from '../../errors.ts';
import { isFormerReport, REPORT_HEAD_BYTES } from '../../report/findings/former-report.ts';
import { readHeadIfAny } from '../../store/files/read-head.ts';
import { findOutputFile, type OutputFile } from '../../store/output/output-file.ts';
import { type CheckedFiles, checkFiles } from './check.ts';
import { checkStores } from './check-stores.ts';
import { type Context, defineCommand } from '../command.ts';
import type { SelectionRequest } from '../shared/requests.ts';
import { createNaming } from '../shared/stdin.ts';
import { findChosenFiles } from '../shared/select/sessions.ts';
import type { FoundFiles } from '../shared/select/files.ts';
import { listRules, reportFindings } from './report.ts';
import { validateOptions } from './options.ts';
import { type FindingsRequest, toValidateRequest, type ValidateRequest } from './request.ts';

export const validate = defineCommand({
  name: 'validate',
  details:
    'Checks session files against what the agent writes and reads. Error: data that no release of ' +
    'the agent writes, that it loses, or on which it fails. Warning: data that it reads differently than intended. ' +
    'docs/rules.md explains each rule. Writes nothing without --fix.',
  options: validateOptions,
  examples: [
    { command: 'coppice validate', says: 'every session of the default stores' },
    { command: 'coppice validate test/fixtures --max-warnings 0', says: 'fixtures, in CI' },
    { command: 'coppice validate --format sarif -o findings.sarif', says: 'for code scanning' },
    { command: 'coppice validate --fix-dry-run', says: 'preview repairs' },
    { command: 'coppice validate --rule entry-orphan=error', says: 'change the level of a rule' },
  ],
  exitCodes: {
    [ExitCode.ok]: 'no errors, and no more warnings than allowed',
    [ExitCode.found]: 'errors, or more warnings than --max-warnings',
  },
  getSchema: (values) => (values['list-rules'] ? 'validate-rules' : 'validate'),
  toRequest: toValidateRequest,
  async run(request: ValidateRequest, context: Context) {
    const { select, output, levels, fix } = request;
    if (request.listsRules) return listRules(levels.levels, output, context);
    const found = await findChosenFiles(select, context, {
      followsProject: !fix,
      which: 'every',
    });
    const { outputFile, ...toCheck } = await findOutput(output, found);
    const startedAt = context.now();
    const inFiles = await checkFiles(toCheck, request, context);
    const files = [...inFiles.files, ...(await checkStores(request, context))];
    const checked = rename({ ...inFiles, files }, select);
    return reportFindings(checked, { startedAt, outputFile }, output, context);
  },
});

/**
 * Looks up the output before any file is checked, since a report must not take the place of one. The report of a former
 * run is none of them.
 */
async function findOutput(
  request: FindingsRequest,
  found: FoundFiles,
): Promise<FoundFiles & { readonly outputFile?: OutputFile }> {
  const { file } = request;
  if (file === undefined) return found;
  const outputFile = await findOutputFile(file);
  const isOther = ({ path }: { readonly path: string }): boolean => path !== outputFile.path;
  if ([...found.files, ...found.problems].every(isOther)) return { ...found, outputFile };
  if (!isFormerReport(readHeadIfAny(outputFile.path, REPORT_HEAD_BYTES), request)) {
    throw new UsageError(`--output-file ${file}: is one of the files to check; name another file`);
  }
  const [files, problems] = [found.files.filter(isOther), found.problems.filter(isOther)];
  return { files, problems, outputFile };
}

function rename(checked: CheckedFiles, select: SelectionRequest): CheckedFiles {
  const name = createNaming(select);
  const files = checked.files.map((file) => ({
    ...name(file),
    findings: file.findings.map((finding) => name(finding)),
    repaired: file.repaired?.map((finding) => name(finding)) ?? [],
  }));
  return { ...checked, files, unrepaired: checked.unrepaired.map((one) => name(one)) };
}
