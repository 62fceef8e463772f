import { dirname, join, sep } from 'node:path';
import type { Candidate } from '../../session/prune/candidate.ts';
import { getParentPath } from '../../session/model/tree/lineage.ts';
import { describeCandidate, findById } from '../../session/model/match-id.ts';
import { isBelow } from '../../session/model/paths.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { findSuperseded } from '../../session/model/tree/superseded.ts';
import { describeUnread, getActivity, getLatest } from '../../session/read/unread.ts';
import type { FoundFile } from '../../store/find/discover.ts';
import {
  type Prunable,
  readPrunable,
  toPrunable,
  toUnreadable,
} from '../../store/read/read-prunable.ts';
import { isInShard } from '../../store/select/selection.ts';
import { createCompleter } from '../../store/read/surroundings.ts';
import { createNameMemo, type SessionFiles, sumBytes } from '../../store/remove/session-files.ts';
import type { Context } from '../command.ts';
import type { PruneArgs } from './options.ts';
import { judgeSessions } from './select.ts';
import { findTargets } from './targets.ts';
import { readSummaries } from '../shared/summaries.ts';
import { runSessions } from '../shared/run-sessions.ts';
import { type FileProblem, parseShard, toProblem, toSelection } from '../shared/select.ts';

/** A session that the policy judges, or that only bears witness to a lineage. */
export interface FoundCandidate {
  readonly candidate: Candidate;
  /** Undefined where the policy cannot touch it anyway. */
  readonly files: SessionFiles | undefined;
  /** Among the targets, and not only of the same store. */
  readonly isTarget: boolean;
}

interface FoundPrunable extends Prunable {
  readonly isTarget: boolean;
}

/** What was read of the sessions that the policy may be about. */
export interface ReadSessions {
  readonly read: readonly FoundPrunable[];
  readonly stores: readonly string[];
  readonly problems: readonly FileProblem[];
}

/**
 * Reads every session that the policy may be about, and also those of the stores around them: what
 * was forked from what can only be seen in a whole store.
 */
export async function readSessions(args: PruneArgs, context: Context): Promise<ReadSessions> {
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
  return { read, stores, problems: [...problems, ...failed.map(toProblem)] };
}

const FOREIGN = {
  code: 'not-a-session',
  message: 'is not a session file of a known agent: not touched',
};

/**
 * Reads some of them once more, every line from end to end: the first reading takes lines by their
 * ends, as a listing does, and nothing is to be removed for what was not read.
 */
export async function readWhole(
  { read, problems, ...rest }: ReadSessions,
  paths: ReadonlySet<string>,
  args: PruneArgs,
  context: Context,
): Promise<ReadSessions> {
  const options = { usage: false, whole: true, jobs: args.jobs };
  const outcomes = await readSummaries([...paths], options, context);
  const byPath = new Map(outcomes.map((outcome) => [outcome.item, outcome]));
  const complete = createCompleter();
  const again: FoundPrunable[] = [];
  const failed: FileProblem[] = [];
  for (const one of read) {
    const outcome = byPath.get(one.file.path);
    if (!outcome) again.push(one);
    else if (!outcome.ok && outcome.error.code === 'ENOENT' && !one.file.explicit) {
      // Another run has removed it since it was read.
      continue;
    } else if (!outcome.ok) {
      again.push({ ...one, ...toUnreadable(one, outcome.error) });
      if (one.isTarget) failed.push(toProblem(outcome.error));
    } else again.push({ ...one, ...(await toPrunable(one, outcome.value, complete)) });
  }
  return { ...rest, read: again, problems: [...problems, ...failed] };
}

/** Asks the selectors, and gathers what the policy needs to know. */
export async function toCandidates(
  { read, stores }: ReadSessions,
  args: PruneArgs,
  context: Context,
): Promise<readonly FoundCandidate[]> {
  const superseded = findSuperseded(read.flatMap(({ summary }) => summary ?? []));
  const current = read.filter(({ file }) => !superseded.has(file.path));
  const judged = await judgeTargets(addWorkBeside(current), args, context);
  const known = new Set(read.map(({ file }) => file.path));
  return read.map(({ file, summary, files, obstacle, isTarget }) => {
    const times = files?.files.map(({ mtimeMs }) => mtimeMs) ?? [0];
    const facts = {
      path: file.path,
      store: findStore(file.path, stores),
      fileModified: times.reduce((latest, time) => Math.max(latest, time), 0),
      bytes: files ? sumBytes(files, known) : (summary?.size ?? 0),
      selected: judged.get(file.path)?.selected ?? false,
      unjudged: judged.get(file.path)?.unjudged,
      obstacle: superseded.has(file.path) ? SUPERSEDED : obstacle,
    };
    return { candidate: { ...facts, ...toFacts(summary) }, files, isTarget };
  });
}

/**
 * What lies beside a session is part of it: with work in there, the session is not empty. Images,
 * rejected lines and logs that nobody here can read count as work; so does work that was not read.
 */
function addWorkBeside(read: readonly FoundPrunable[]): readonly FoundPrunable[] {
  const isWorking = (one: SessionSummary): boolean =>
    one.workCount > 0 || describeUnread(one, 'entries') !== undefined;
  const idle = new Set(
    read.flatMap(({ file, summary }) => (summary && !isWorking(summary) ? [file.path] : [])),
  );
  return read.map((one) => {
    const { summary, files } = one;
    if (!summary || !files) return one;
    const [, ...beside] = files.files;
    const home = dirname(files.path);
    const work = beside.filter(({ name }) => !idle.has(join(home, name))).length;
    return { ...one, summary: { ...summary, workCount: summary.workCount + work } };
  });
}

/** It counts for nothing, so that no rule keeps it instead of the session itself. */
const SUPERSEDED = 'the file that coppice migrate has replaced by the .jsonl file beside it';

const NOTHING_UNREAD = { lines: 0, entries: 0 };

function toFacts(summary: SessionSummary | undefined) {
  const { agent = null, id = '', cwd = '', name = null, labelCount = 0 } = summary ?? {};
  return {
    agent,
    id,
    cwd,
    name,
    labelCount,
    title: name ?? summary?.firstMessage ?? '',
    modified: summary ? getActivity(summary) : 0,
    latest: summary ? getLatest(summary) : 0,
    parentSessionPath: summary ? getParentPath(summary) : null,
    unread: summary?.unread ?? NOTHING_UNREAD,
  };
}

async function judgeTargets(read: readonly FoundPrunable[], args: PruneArgs, context: Context) {
  const shard = parseShard(args.shard);
  const targets = read.filter(({ file, isTarget }) => isTarget && isInShard(file.path, shard));
  const { activeBefore: _before, activeAfter: _after, ...rest } = toSelection(args, context);
  return judgeSessions(
    targets.flatMap(({ summary }) => summary ?? []),
    {
      ...rest,
      withoutWork: args.empty || undefined,
      maxMessages: args['max-messages'],
      missingCwd: args['missing-cwd'],
      includeDamaged: args['include-damaged'],
    },
  );
}

/** The outermost directory that was searched and holds the file; its own when it was named. */
function findStore(path: string, stores: readonly string[]): string {
  const around = stores.filter((store) => isBelow(path, store));
  const [outermost] = around.toSorted((a, b) => a.length - b.length);
  return outermost ?? path.slice(0, path.lastIndexOf(sep));
}

/**
 * The sessions that `--keep-id` names; of one id, all that have it.
 * @throws UsageError for an id that no session has, or a prefix that several have: a session that
 * was meant would be removed.
 */
export function findKeptPaths(
  ids: readonly string[],
  found: readonly FoundCandidate[],
): ReadonlySet<string> {
  const kept = ids.flatMap((id) =>
    findById(id, toBare(found), {
      getId: (one) => one.id,
      asked: `--keep-id ${id}`,
      unknown: 'no session has this id',
      describe: describeCandidate,
    }),
  );
  return new Set(kept.map(({ path }) => path));
}

export function toBare(found: readonly FoundCandidate[]): readonly Candidate[] {
  return found.map(({ candidate }) => candidate);
}
