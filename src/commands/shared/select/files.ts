import { resolve } from 'node:path';
import type { FileProblem } from '../../../session/model/summary.ts';
import { type FoundFile, toProblem } from '../../../store/select/found-file.ts';
import {
  createOtherAgentTest,
  findStores,
  findStoresAroundTargets,
  listAgentStores,
  type StoreOptions,
} from '../../../store/find/roots.ts';
import { createShardTest } from '../../../store/select/shard.ts';
import { formatPath } from '../../../report/text/paths.ts';
import { createPathMatcher, toAbsoluteGlob } from '../../../store/find/path-glob.ts';
import { resolveTargets, searchStores } from '../../../store/find/targets.ts';
import type { Context } from '../../command.ts';
import type { SelectionRequest } from '../requests.ts';
import { createNarrowing, reportShard, reportProjectStores } from './targets.ts';

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  readonly problems: readonly FileProblem[];
}

/** Only what is in the chosen shard. */
export function keepFilesOfShard(
  { files, problems }: FoundFiles,
  { selection: { shard } }: SelectionRequest,
): FoundFiles {
  const isHere = createShardTest(shard);
  return { files: files.filter(isHere), problems: problems.filter(isHere) };
}

/**
 * Leaves out what could not be read in the stores of other agents than the one of `--agent`, where neither these stores
 * nor the files were named.
 */
export async function keepAskedProblems(
  problems: readonly FileProblem[],
  { selection: { agent }, stores, listTargets }: SelectionRequest,
  context: Context,
  options: StoreOptions,
): Promise<readonly FileProblem[]> {
  if (problems.length === 0 || agent === undefined || stores.length > 0) return problems;
  if ((await listTargets()).length > 0) return problems;
  const isOfOther = await createOtherAgentTest(agent, context, options);
  return problems.filter(({ path }) => !isOfOther(path));
}

/** Finds the files of the targets, or else of all stores, in every shard. */
export async function findAllFiles(
  request: SelectionRequest,
  context: Context,
  options: StoreOptions,
): Promise<FoundFiles> {
  await reportShard(request, context);
  const stores = createStoreFinder(request, context, { ...options, takesUnread: true });
  const targets = await request.listTargets();
  const found =
    targets.length > 0
      ? await resolveTargets(targets, {
          cwd: context.cwd,
          findStores: stores,
          narrowing: createNarrowing(request, context),
        })
      : await searchStores(await stores());
  const files = await withoutIgnored(found.files, request, context);
  return { files, problems: found.problems.map(toProblem) };
}

/** Makes the function that finds the stores of a run, and reports a store that is left out. */
export function createStoreFinder(
  request: SelectionRequest,
  context: Context,
  options: StoreOptions = {},
): () => Promise<readonly string[]> {
  return async () => {
    const isOwn = !options.followsProject && request.stores.length === 0;
    // Before the search, which fails if there is no other store.
    if (isOwn) await reportProjectStores(await listAgentStores(context), request, context);
    const { agent } = request.selection;
    return findStores(request.stores, context, { ...options, agent });
  };
}

/** Makes a test of whether a path matches a glob of `--ignore`. */
export function createIgnoredTest(
  ignored: SelectionRequest['ignored'],
  { cwd, home }: Pick<Context, 'cwd' | 'home'>,
): (path: string) => boolean {
  return createPathMatcher(ignored.map((glob) => toAbsoluteGlob(glob, cwd, home)));
}

/** Leaves out ignored files; reports each that was named as a target. */
async function withoutIgnored(
  files: readonly FoundFile[],
  { ignored, quiet }: SelectionRequest,
  { cwd, home, terminal }: Context,
): Promise<readonly FoundFile[]> {
  if (ignored.length === 0) return files;
  const isIgnored = createIgnoredTest(ignored, { cwd, home });
  for (const { path, explicit } of files) {
    if (!explicit || quiet || !isIgnored(path)) continue;
    await terminal.err.write(`coppice: ${formatPath(path, home)}: left out: it matches --ignore\n`);
  }
  return files.filter(({ path }) => !isIgnored(path));
}

/** Finds the directories to search: the existing stores, and targets. */
export async function findRoots(
  request: SelectionRequest,
  context: Context,
): Promise<readonly string[]> {
  const targets = await request.listTargets();
  const directories = targets.map((target) => resolve(context.cwd, target));
  return [...(await findSearched(request, context)), ...directories];
}

/** Finds every file of the stores, whatever the targets and the selection. */
export async function findStoreFiles(
  request: SelectionRequest,
  context: Context,
): Promise<FoundFiles> {
  const { files, problems } = await searchStores(await findSearched(request, context));
  return { files, problems: problems.map(toProblem) };
}

/** Finds the stores to search; there may be targets where there is no store. */
async function findSearched(
  { stores, listTargets }: SelectionRequest,
  context: Context,
): Promise<readonly string[]> {
  const targets = await listTargets();
  const find = targets.length > 0 ? findStoresAroundTargets : findStores;
  return find(stores, context, { takesUnread: true });
}
