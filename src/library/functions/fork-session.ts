import { resolve } from 'node:path';
import type { ForkRequest, ForkStart } from '../../session/dialect/forking.ts';
import {
  type Fork,
  type ForkOptions,
  forkSession as fork,
} from '../../session/fork/fork-session.ts';
import { toDirectory } from '../../session/model/paths.ts';
import { createForkRows } from '../../store/database/fork-rows.ts';
import { createForkClearer } from '../../store/output/clear-fork-directory.ts';
import { refuseSessionFolder } from '../../store/sessions/refuse-session-folder.ts';
import { check, checkOptions, type OptionKinds, toPath, withoutUndefined } from '../arguments.ts';
import { getSessionWorld } from '../world.ts';

/**
 * Makes new sessions from one, by default of its current path, beside it; the source is only read.
 * Each file is new, whole and private, or not there at all; of several, all are made or none.
 * @throws FileError for a source or a point that cannot be forked, and a target that exists; TypeError
 * for a wrong argument; UsageError for a directory that would be removed with a session.
 */
export async function forkSession(
  path: string,
  request: Partial<ForkRequest> = {},
  options: Partial<ForkOptions> = {},
): Promise<readonly Fork[]> {
  const file = toPath('path', path);
  checkOptions(request, REQUEST_KINDS);
  checkOptions(options, OPTION_KINDS);
  if (request.start) checkStart(request.start);
  if (request.start?.kind === 'each-leaf' && request.id !== undefined) {
    throw new TypeError(
      'id: cannot be combined with each-leaf, which makes a session for each branch',
    );
  }
  const places = toPlaces(request);
  if (places.directory !== undefined) await refuseSessionFolder(places.directory, 'directory');
  const { now, createId } = getSessionWorld();
  const world = { now, createId, cwd: process.cwd() };
  const isChosen = places.directory !== undefined;
  const clear = createForkClearer(Date.now())({ source: file, isChosen });
  return fork(
    file,
    { start: { kind: 'leaf' }, ...withoutUndefined({ ...request, ...places }) },
    { world, clear, ...createForkRows(process.env), ...withoutUndefined(options) },
  );
}

/** The directories of a request, absolute. */
function toPlaces({ cwd, directory }: Partial<ForkRequest>): Partial<ForkRequest> {
  return {
    cwd: cwd === undefined ? undefined : toDirectory(cwd, process.cwd()),
    directory: directory === undefined ? undefined : resolve(directory),
  };
}

const REQUEST_KINDS: OptionKinds<ForkRequest> = {
  start: 'object',
  cwd: 'path',
  directory: 'path',
  id: 'text',
  name: 'text',
};

const OPTION_KINDS: OptionKinds<ForkOptions> = {
  beforeBranchSummary: 'function',
  summarize: 'object',
  world: 'object',
  clear: 'function',
  addRows: 'function',
  checkRows: 'function',
  findRows: 'function',
  dryRun: 'flag',
  signal: 'signal',
};

function checkStart(start: ForkStart): void {
  const { kind, entry }: { readonly kind: string; readonly entry?: unknown } = start;
  check('start.kind', ['leaf', 'at', 'before', 'whole', 'each-leaf'], kind);
  if (kind === 'at' || kind === 'before') check('start.entry', 'text', entry);
}
