import { ExitCode, FileError, UsageError } from '../../errors.ts';
import { loadRedaction } from '../../export/redact/load-redaction.ts';
import { toPlainLine, toPlainText } from '../../report/text/escape.ts';
import { orFileError } from '../../session/jsonl/files/file-error.ts';
import type { FileProblem, Problem } from '../../session/model/summary.ts';
import { toProblem } from '../../store/select/found-file.ts';
import { createSourceReader } from '../../store/sessions/surroundings.ts';
import type { Context } from '../command.ts';
import type { ExportRequest } from './request.ts';
import { requireHarness } from './require-harness.ts';
import type { DocumentPlan } from './plan.ts';
import { describeRedactions, writeDocuments } from '../../export/write-documents.ts';
import { readVersion } from '../../package.ts';
import { reportProblems } from '../shared/output/output.ts';
import { SkippedNotes } from '../shared/output/skipped-notes.ts';
import { findChosenFiles, noMatchError } from '../shared/select/sessions.ts';
import { createNaming } from '../shared/stdin.ts';
import type { SessionSource } from '../../session/read/read-session.ts';

/** Runs `coppice export` of one session without `--out`. */
export async function exportToOutput(
  plan: DocumentPlan,
  request: ExportRequest,
  context: Context,
): Promise<ExitCode> {
  const { select, dryRun } = request;
  if (plan.request.scope.allBranches && plan.format.branches === 'file-each') {
    throw new UsageError('--all-branches: writes several files; add --out <dir>');
  }
  const { files, problems } = await findChosenFiles(select, context, {
    followsProject: true,
    which: 'listed',
  });
  const name = createNaming(select);
  if (problems.length > 0) return reportProblems(problems.map(name), context);
  const [file, ...others] = files;
  if (!file) throw noMatchError('export');
  if (others.length > 0) {
    throw new UsageError(
      `standard output takes one session, not ${files.length}; name one, or write to --out <dir>`,
    );
  }
  if (dryRun) {
    if (!select.quiet)
      await context.terminal.err.write('Would write 1 session to standard output.\n');
    return ExitCode.ok;
  }
  const skipped = new SkippedNotes();
  const read = createSourceReader({ env: context.env, onProblem: skipped.add });
  const { signal } = context;
  const source = await orFileError(() => read(file.path, { signal, sumsUsage: true }));
  if (source instanceof FileError) return reportProblems([toProblem(source)].map(name), context);
  await skipped.report(context);
  const summary = name(source.summary);
  const { path, problem } = summary;
  if (problem) return reportProblems([{ path, problem }], context);
  requireHarness([summary.agent], request);
  return writeDocument({ ...source, summary }, plan, context);
}

async function writeDocument(
  source: SessionSource,
  plan: DocumentPlan,
  context: Context,
): Promise<ExitCode> {
  const { request, format } = plan;
  const redactor = (await loadRedaction(request.secrets))();
  const generator = `coppice ${readVersion()}`;
  const tools = { format, redactor, generator, signal: context.signal };
  const toFileProblem = (problem: Problem): FileProblem => ({ path: source.summary.path, problem });
  const decoder = new TextDecoder();
  const { out } = context.terminal;
  const { gaps, isEmpty } = await writeDocuments(source, request, tools, {
    toStem: () => '',
    async write({ chunks }) {
      for await (const chunk of chunks) {
        const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
        // Elsewhere it is a document; a terminal would obey what is in it.
        await out.write(out.isTerminal ? toPlainText(text) : text);
      }
    },
  });
  if (isEmpty) {
    const message = `holds nothing to export as ${request.name}`;
    const problem = { code: 'nothing-to-export', message };
    return reportProblems([problem, ...gaps].map(toFileProblem), context);
  }
  for (const line of describeRedactions(redactor?.redactions ?? [])) {
    await context.terminal.err.write(`coppice: ${toPlainLine(line)}\n`);
  }
  return reportProblems(gaps.map(toFileProblem), context);
}
