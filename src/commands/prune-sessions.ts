import { sep } from 'node:path';
import { UsageError } from '../errors.ts';
import type { Candidate } from '../session/policy/candidate.ts';
import type { SessionSummary } from '../session/summary.ts';
import type { FoundFile } from '../store/discover.ts';
import { isDirectoryGone, type Prunable, readPrunable } from '../store/read-prunable.ts';
import { isInShard, select } from '../store/selection.ts';
import { createCompleter } from '../store/surroundings.ts';
import { createNameMemo, type SessionFiles, sumBytes } from '../store/session-files.ts';
import type { Context } from './command.ts';
import type { PruneArgs } from './prune-options.ts';
import { findTargets } from './prune-targets.ts';
import { runSessions } from './run-sessions.ts';
import { type FileProblem, parseShard, toProblem, toSelection } from './select-sessions.ts';

/** A session that the policy judges, or that only bears witness to a lineage. */
export interface FoundCandidate {
  readonly candidate: Candidate;
  /** Undefined where the policy cannot touch it anyway. */
  readonly files: SessionFiles | undefined;
  /** Among the targets, and not only of the same store. */
  readonly isTarget: boolean;
}

export interface FoundCandidates {
  readonly found: readonly FoundCandidate[];
  readonly stores: readonly string[];
  readonly problems: readonly FileProblem[];
}

interface FoundPrunable extends Prunable {
  readonly isTarget: boolean;
}

/**
 * Reads every session that the policy may be about, and also those of the stores around them: what
 * was forked from what can only be seen in a whole store.
 */
export async function findCandidates(args: PruneArgs, context: Context): Promise<FoundCandidates> {
  const { files, targets, stores, problems } = await findTargets(args, context);
  const shared = { listAround: createNameMemo(), complete: createCompleter() };
  const readOne = (file: FoundFile) => readPrunable(file, shared, context.signal);
  const outcomes = await runSessions(files, readOne, {
    label: 'Reading',
    jobs: args.jobs,
    context,
  });
  const read: FoundPrunable[] = [];
  for (const { item, value } of outcomes.filter((outcome) => outcome.ok)) {
    const isTarget = targets.has(item.path);
    if (value) read.push({ ...value, isTarget });
    else if (item.explicit && isTarget) problems.push({ path: item.path, problem: FOREIGN });
  }
  const failed = read.filter(({ isTarget }) => isTarget).flatMap(({ error }) => error ?? []);
  const found = await toCandidates(read, args, stores, context);
  return { found, stores, problems: [...problems, ...failed.map(toProblem)] };
}

const FOREIGN = {
  code: 'not-a-session',
  message: 'is no session file of a known agent: not touched',
};

async function toCandidates(
  read: readonly FoundPrunable[],
  args: PruneArgs,
  stores: readonly string[],
  context: Context,
): Promise<readonly FoundCandidate[]> {
  const selected = await selectPaths(read, args, context);
  const known = new Set(read.map(({ file }) => file.path));
  return read.map(({ file, summary, files, obstacle, isTarget }) => {
    const times = files?.files.map(({ mtimeMs }) => mtimeMs) ?? [0];
    const facts = {
      path: file.path,
      store: findStore(file.path, stores),
      fileModified: times.reduce((latest, time) => Math.max(latest, time), 0),
      bytes: files ? sumBytes(files, known) : (summary?.size ?? 0),
      selected: selected.has(file.path),
      obstacle,
    };
    return { candidate: { ...facts, ...toFacts(summary) }, files, isTarget };
  });
}

function toFacts(summary: SessionSummary | undefined) {
  const { agent = null, id = '', cwd = '', name = null, labelCount = 0 } = summary ?? {};
  return {
    agent,
    id,
    cwd,
    name,
    labelCount,
    title: name ?? summary?.firstMessage ?? '',
    modified: summary ? Date.parse(summary.modified) : 0,
    parentSessionPath: summary?.parentSessionPath ?? null,
  };
}

/** What the selectors choose among the targets, but for their ages: those are of whole lineages. */
async function selectPaths(
  read: readonly FoundPrunable[],
  args: PruneArgs,
  context: Context,
): Promise<ReadonlySet<string>> {
  const shard = parseShard(args.shard);
  const targets = read.filter(({ file, isTarget }) => isTarget && isInShard(file.path, shard));
  const fitting: SessionSummary[] = [];
  for (const { summary } of targets) {
    if (summary && (await fitsOwn(summary, args))) fitting.push(summary);
  }
  const { activeBefore: _before, activeAfter: _after, ...rest } = await toSelection(args, context);
  return new Set(select(fitting, rest).map(({ path }) => path));
}

async function fitsOwn(summary: SessionSummary, args: PruneArgs): Promise<boolean> {
  if (args.empty && summary.userMessageCount > 0) return false;
  if (summary.messageCount > (args['max-messages'] ?? Number.POSITIVE_INFINITY)) return false;
  return !args['missing-cwd'] || isDirectoryGone(summary.cwd);
}

/** The outermost directory that was searched and holds the file; its own when it was named. */
function findStore(path: string, stores: readonly string[]): string {
  const around = stores.filter((store) => path.startsWith(store + sep));
  const [outermost] = around.toSorted((a, b) => a.length - b.length);
  return outermost ?? path.slice(0, path.lastIndexOf(sep));
}

const MIN_PREFIX = 4;

/** @throws UsageError for an id that no session has: what it was to keep would go. */
export function findKeptPaths(
  ids: readonly string[],
  found: readonly FoundCandidate[],
): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const id of ids) {
    const fits = found.filter(({ candidate }) =>
      id.length < MIN_PREFIX ? candidate.id === id : candidate.id.startsWith(id),
    );
    if (fits.length === 0) throw new UsageError(`--keep-id ${id}: no session has this id`);
    for (const { candidate } of fits) paths.add(candidate.path);
  }
  return paths;
}
