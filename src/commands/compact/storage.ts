import { dirname } from 'node:path';
import { type ExitCode, UsageError } from '../../errors.ts';
import { createReductionColumns } from '../../report/compact/reduction-columns.ts';
import { MIN_CUT_BYTES } from '../../session/model/text/cut-text.ts';
import { reduceSession, type ReductionOutcome } from '../../session/reduce/reduce-session.ts';
import { ENTRY_REDUCERS } from '../../session/dialect/reduction.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { parseAge } from '../../store/select/age.ts';
import {
  getImageFolder,
  openImageFiles,
  previewImageFiles,
} from '../../store/output/image-files.ts';
import { parseSize } from '../../store/select/size.ts';
import { applies, reportActions, showsUnchanged } from '../shared/report-actions.ts';
import { cleanUp } from '../shared/clean-up.ts';
import type { Context } from '../command.ts';
import { changeSessions, type ChangeRun } from '../shared/guard.ts';
import { findSessions } from '../shared/select.ts';
import type { CompactArgs } from './options.ts';

const WORDS = { verb: 'reduce', past: 'Reduced', how: 'add --apply' } as const;
const RESTORE_WORDS = { verb: 'restore', past: 'Restored', how: 'add --apply' } as const;

/** Whether anything is to be taken out of files, or put back. */
export function hasReducers(args: Readonly<Record<string, unknown>>): boolean {
  const asked = ENTRY_REDUCERS.some((name) => args[name]);
  return asked || args['images'] !== undefined || args['tool-output'] !== undefined;
}

/** `coppice compact` with reducers: files that take less room. */
export async function reduceFiles(args: CompactArgs, context: Context): Promise<ExitCode> {
  const apply = applies(args);
  const grace = parseAge(args.grace, '--grace', context.now());
  const change = createJob(args, context, apply);
  const found = await findSessions(args, context, { usage: false });
  const { sessions, linked } = found;
  const own = sessions.filter(({ path }) => !linked.has(path));
  const directories = apply ? listDirectories(own, args) : [];
  const problems = [...found.problems, ...(await cleanUp(directories, args.jobs, context))];
  const run: ChangeRun<ReductionOutcome> = {
    label: 'Reducing',
    jobs: args.jobs,
    grace,
    linked,
    change,
    toResult: (left) => ({ ...left, savings: [] }),
  };
  const results = await changeSessions(sessions, run, context);
  const words = args.images === 'restore' ? RESTORE_WORDS : WORDS;
  const columns = createReductionColumns(context.home);
  const isShown = showsUnchanged(results, args);
  const report = {
    command: 'compact',
    applied: apply,
    results,
    problems,
    columns,
    isShown,
    words: { ...words, unchanged: `have nothing to ${words.verb}` },
  };
  return reportActions(report, args, context);
}

/** Where a run that was killed may have left something. */
function listDirectories(
  sessions: readonly SessionSummary[],
  { images }: CompactArgs,
): readonly string[] {
  const paths = sessions.map(({ path }) => path);
  const folders = images === 'extract' ? paths.map(getImageFolder) : [];
  return [...paths.map((path) => dirname(path)), ...folders];
}

function createJob(
  args: CompactArgs,
  context: Context,
  apply: boolean,
): (session: SessionSummary) => Promise<ReductionOutcome> {
  const options = {
    entries: ENTRY_REDUCERS.filter((name) => args[name]),
    images: args.images,
    toolOutput: parseLimit(args['tool-output']),
    openImages: apply ? openImageFiles : previewImageFiles,
    apply,
    signal: context.signal,
  };
  return (session) => reduceSession(session.path, options);
}

function parseLimit(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const bytes = parseSize(text, '--tool-output');
  if (bytes >= MIN_CUT_BYTES) return bytes;
  throw new UsageError(`--tool-output ${text}: leaves nothing; at least ${MIN_CUT_BYTES} bytes`);
}
