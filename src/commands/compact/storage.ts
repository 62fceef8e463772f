import { dirname } from 'node:path';
import type { ExitCode } from '../../errors.ts';
import { getDialect } from '../../session/agents/index.ts';
import {
  describeMissingImages,
  findReducerObstacle,
  type Relatives,
} from '../../session/reduce/plan-reduction.ts';
import { reduceSession, type ReductionOutcome } from '../../session/reduce/reduce-session.ts';
import type { FileProblem, SessionSummary } from '../../session/model/summary.ts';
import {
  getImageFolder,
  openImageFiles,
  previewImageFiles,
} from '../../store/output/image-files.ts';
import { openRunSources } from '../../store/database/read-records.ts';
import {
  changePositions,
  checkRowsOf,
  removeStaleRows,
} from '../../store/database/rows-of-session.ts';
import { holdSessions } from '../../store/lock/hold-session.ts';
import { findUseBeside } from '../../store/sessions/find-use.ts';
import type { Context } from '../command.ts';
import { runChanges } from '../shared/change-sessions.ts';
import type { StorageRequest } from './request.ts';
import { createReductionColumns } from '../../report/compact/columns.ts';

const WORDS = { verb: 'reduce', past: 'Reduced', how: 'add --apply' } as const;
const RESTORE_WORDS = { verb: 'restore', past: 'Restored', how: 'add --apply' } as const;

/** Runs `coppice compact` with reducers, which make files smaller. */
export async function reduceFiles(request: StorageRequest, context: Context): Promise<ExitCode> {
  const isOnlyRestore = listReducers(request) === '--images' && request.images === 'restore';
  const words = isOnlyRestore ? RESTORE_WORDS : WORDS;
  const nothing = `nothing to ${words.verb}`;
  const { exitCode } = await runChanges(
    request,
    {
      command: 'compact',
      words: { ...words, unchanged: { one: `has ${nothing}`, many: `have ${nothing}` } },
      columns: createReductionColumns(context.home),
      countKept: ({ imageBytes = 0 }) => imageBytes,
      findProblem,
      label: 'Reducing',
      asked: listReducers(request),
      findObstacle: (agent) => findReducerObstacle(agent, request),
      find: { keepsSubagents: true },
      listDirectories: (sessions) => listDirectories(sessions, request),
      start: (sessions) => createJob(request, sessions, context),
      findFamily: ({ agent, path }) =>
        getDialect(agent).reduction?.cutting && getDialect(agent).rows?.findHome(path),
      toResult: (skipped) => ({ ...skipped, savings: [] }),
    },
    context,
  );
  return exitCode;
}

/** Finds what was not done in a session that was changed: a script that restores all images has to know. */
function findProblem({ path, action, missingImages }: ReductionOutcome): FileProblem | undefined {
  if (missingImages === undefined || action === 'fail') return undefined;
  return {
    path,
    problem: { code: 'images-missing', message: describeMissingImages(missingImages) },
  };
}

/** Lists directories in which a killed run may have left files. */
function listDirectories(
  sessions: readonly SessionSummary[],
  { images }: StorageRequest,
): readonly string[] {
  const paths = sessions.map(({ path }) => path);
  const folders = images === 'extract' ? paths.map(getImageFolder) : [];
  return [...paths.map((path) => dirname(path)), ...folders];
}

/** Lists the reducers by the names of their options. */
function listReducers({ entries, images, toolOutput }: StorageRequest): string {
  const others = [images && 'images', toolOutput && 'tool-output'].filter((name) => name);
  return [...entries, ...others].map((name) => `--${name}`).join(', ');
}

function createJob(
  { change: { apply, grace }, entries, images, toolOutput }: StorageRequest,
  sessions: readonly SessionSummary[],
  context: Context,
): (session: SessionSummary) => Promise<ReductionOutcome> {
  const { signal, now, env } = context;
  const openImages = apply ? openImageFiles : previewImageFiles;
  const common = { entries, images, toolOutput, openImages, apply, signal };
  const selected = new Set(sessions.flatMap(({ path, files = [] }) => [path, ...files]));
  const relatives: Relatives = {
    findUse: (owner, path) => findUseBeside(owner, path, { grace, now: now(), world: context }),
    isSelected: (path) => selected.has(path),
    hold: holdSessions,
    changeRows: changePositions,
  };
  const sources = openRunSources(env);
  const options = {
    ...common,
    removeRows: removeStaleRows,
    checkRows: checkRowsOf,
    sources,
    relatives,
  };
  return (session) => reduceSession(session.path, options);
}
