import type { ExitCode } from '../../errors.ts';
import { createInfoColumns, listFacts, toSessionInfo } from '../../report/list/session-info.ts';
import type { JsonReport } from '../../report/text/json.ts';
import { measureSession } from '../../session/read/measure-session.ts';
import { createSourceReader } from '../../store/read/surroundings.ts';
import type { Context } from '../command.ts';
import type { InfoDocument } from '../shared/documents.ts';
import { reportProblems, writeMachineReport, writeTable } from '../shared/output.ts';
import { createNaming } from '../shared/stdin.ts';
import type { ListArgs } from './options.ts';
import { readOneFile } from './one-file.ts';

/** `coppice list <session> --info`. */
export async function listInfo(args: ListArgs, context: Context): Promise<ExitCode> {
  const { signal } = context;
  const readSource = createSourceReader();
  const read = async (path: string) => {
    const { summary, session, dialect } = await readSource(path, { signal });
    return toSessionInfo(summary, await measureSession(session, dialect, { signal }));
  };
  const { value, problems } = await readOneFile('--info', read, args, context);
  const name = createNaming(args, context);
  const infos = value ? [name(value)] : [];
  const unusable = problems.map(name);
  const report: JsonReport<InfoDocument> = {
    command: 'list',
    results: [...infos, ...unusable],
    summary: { sessions: infos.length },
  };
  if (!(await writeMachineReport(report, args, context))) {
    for (const info of infos) {
      await writeTable(
        listFacts(info, { now: context.now(), home: context.home }),
        createInfoColumns(info),
        args,
        context,
      );
    }
  }
  return reportProblems(unusable, context);
}
