import type { ExitCode } from '../../errors.ts';
import { createInfoColumns, listFacts, toSessionInfo } from '../../report/list/session-info.ts';
import type { JsonReport } from '../../report/text/json.ts';
import { measureSession, sumSizes } from '../../session/read/summaries/measure-session.ts';
import { createTotalMeasure } from '../../store/sessions/total-size.ts';
import { readSource as readFile } from '../../session/read/read-session.ts';
import { createSourceReader } from '../../store/sessions/surroundings.ts';
import type { Context } from '../command.ts';
import type { InfoDocument } from '../shared/output/documents.ts';
import { reportProblems, writeMachineReport, writeTable } from '../shared/output/output.ts';
import { SkippedNotes } from '../shared/output/skipped-notes.ts';
import { createNaming } from '../shared/stdin.ts';
import type { ListRequest } from './request.ts';
import { readOneFile } from './one-file.ts';

/** Runs `coppice list <session> --info`. */
export async function listInfo(
  { select, output }: ListRequest,
  context: Context,
): Promise<ExitCode> {
  const { signal, env } = context;
  const skipped = new SkippedNotes();
  const readSource = createSourceReader({ env, onProblem: skipped.add });
  const read = async (path: string) => {
    const { summary, session, dialect } = await readSource(path, { signal });
    const sizes = [await measureSession(session, dialect, { signal })];
    for (const file of summary.files ?? []) {
      if (file === path) continue;
      const earlier = await readFile(file, { signal });
      sizes.push(await measureSession(earlier.session, earlier.dialect, { signal }));
    }
    return toSessionInfo(summary, sumSizes(sizes), await createTotalMeasure()(summary));
  };
  const { value, problems } = await readOneFile('--info', read, select, context);
  await skipped.report(context);
  const name = createNaming(select);
  const infos = value ? [name(value)] : [];
  const unusable = problems.map(name);
  const report: JsonReport<InfoDocument> = {
    command: 'list',
    results: [...infos, ...unusable],
    summary: { sessions: infos.length },
  };
  if (!(await writeMachineReport(report, output, context))) {
    for (const info of infos) {
      await writeTable(
        listFacts(info, { now: context.now(), home: context.home }),
        createInfoColumns(info),
        output,
        context,
      );
    }
  }
  return reportProblems(unusable, context);
}
